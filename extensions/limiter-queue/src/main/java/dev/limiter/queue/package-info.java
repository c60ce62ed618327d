/**
 * Bounded queues that all processes of an application share: offered entries wait, are taken,
 * and end.
 */
package dev.limiter.queue;
