/**
 * Knows the state of each Redis server: its breaker, its clock, and whether it answers again.
 */
package dev.limiter.redis.internal.node;
