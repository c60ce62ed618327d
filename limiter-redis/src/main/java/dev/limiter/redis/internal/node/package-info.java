/**
 * Gives each Redis server its breaker and combiners, asks servers that are away, and watches their
 * clocks.
 */
package dev.limiter.redis.internal.node;
