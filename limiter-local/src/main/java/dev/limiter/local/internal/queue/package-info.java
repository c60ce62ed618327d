/** Keeps bounded queues in memory. */
package dev.limiter.local.internal.queue;
