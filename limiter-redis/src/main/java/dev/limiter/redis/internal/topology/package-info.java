/** Finds the Redis server of each slot and opens connections to it. */
package dev.limiter.redis.internal.topology;
