/** Keeps bounded queues in Redis. */
package dev.limiter.redis.internal.queue;
