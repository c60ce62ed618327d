package dev.limiter.queue;

/**
 * An entry of a {@link BoundedQueue} that a consumer holds.
 *
 * @param id names the entry in its queue
 * @param payload what was offered
 * @param count how often it was delivered, including this time; more than 1 if an earlier consumer
 *     did not acknowledge it in time
 */
public record Delivery(String id, String payload, int count) {

    /** The longest name of a consumer, in characters. */
    public static final int MAX_CONSUMER_LENGTH = 100;

    /**
     * Refuses a name that no consumer can have.
     *
     * @param consumer printable ASCII, 1 to {@value #MAX_CONSUMER_LENGTH} characters
     * @throws IllegalArgumentException if it is anything else
     */
    public static void requireConsumer(String consumer) {
        if (consumer.isEmpty()
                || consumer.length() > MAX_CONSUMER_LENGTH
                || !consumer.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException(
                    "consumer must be printable ASCII of 1 to " + MAX_CONSUMER_LENGTH + " characters");
        }
    }
}
