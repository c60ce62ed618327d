/** Queues in Redis and in memory, their CDI bean and their gauges. */
package dev.limiter.queue.internal;
