package dev.limiter.queue;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Whether a {@link BoundedQueue} accepted an offer. */
public sealed interface OfferResult {

    /** {@return how many entries wait or are taken now, including this one if it was accepted} */
    long length();

    /**
     * The offer waits in the queue.
     *
     * @param id of the entry, for {@link BoundedQueue#state}: 16 digits, in the order of the
     *     offers
     * @param length from 1 to the capacity
     */
    record Accepted(String id, long length) implements OfferResult {}

    /**
     * The queue is full, and nothing was written.
     *
     * @param length at least the capacity; above it only after that was lowered
     * @param retryAfter when a place may be free, as a hint, at least 1 ms. First
     *     {@code length - capacity + 1} entries must leave. Their pace is estimated as the age of
     *     the first waiting entry divided by the number that wait
     */
    record Full(long length, Duration retryAfter) implements OfferResult {
        private static final Duration LEAST = Duration.ofMillis(1);

        /**
         * {@return the refusal, from the figures of the store}
         *
         * @param length entries that wait or are taken; at least the capacity
         * @param capacity of the caller's policy
         * @param waiting how many of them wait; from 0
         * @param ageMicros how long the first waiting entry has waited, in µs; from 0
         */
        public static Full of(long length, long capacity, long waiting, long ageMicros) {
            Duration each = Duration.of(waiting == 0 ? 0 : ageMicros / waiting, ChronoUnit.MICROS);
            Duration all = each.multipliedBy(length - capacity + 1);
            return new Full(length, all.compareTo(LEAST) < 0 ? LEAST : all);
        }
    }
}
