package dev.limiter;

import java.time.Duration;

/** What became of a payload that was offered to a {@link BoundedQueue}. */
public sealed interface Offer {

    /** {@return entries that wait or are taken, afterwards: with this one if it was accepted} */
    long length();

    /**
     * It waits in the queue.
     *
     * @param id by which {@link BoundedQueue#state} finds it: 16 digits, in the order of the offers
     * @param length from 1 to the capacity
     */
    record Accepted(String id, long length) implements Offer {}

    /**
     * The queue is full, and nothing was written.
     *
     * @param length at least the capacity; above it only after that was lowered
     * @param retryAfter when a place may be free, as a hint: at the pace at which the first that waits has come to the front,
     *     that is its age divided by how many wait; at least 1 ms
     */
    record Refused(long length, Duration retryAfter) implements Offer {
        private static final long LEAST_MICROS = 1_000;

        /**
         * {@return the refusal, from what the store says}
         *
         * @param length entries that wait or are taken
         * @param waiting how many of them wait; from 0
         * @param ageMicros how long the first of those has waited, in µs; from 0
         */
        public static Refused of(long length, long waiting, long ageMicros) {
            long micros = Math.max(LEAST_MICROS, waiting == 0 ? 0 : ageMicros / waiting);
            return new Refused(length, Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000));
        }
    }
}
