/** Combines the concurrent calls to one Redis server into shared round trips. */
package dev.limiter.redis.internal.combine;
