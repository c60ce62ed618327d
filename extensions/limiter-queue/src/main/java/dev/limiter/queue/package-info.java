/**
 * Bounded queues that all processes of an application share: entries are offered, taken and
 * acknowledged.
 */
package dev.limiter.queue;
