package dev.limiter.queue;

import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import java.time.Duration;
import java.util.Optional;

/**
 * A {@link BoundedQueue} is full, and nothing was written. The client gets a 429 with problem
 * details. If you want another response, write an {@code ExceptionMapper<QueueFullException>}.
 *
 * <p>It has no stack trace, like {@link RateLimitExceededException}.
 */
public final class QueueFullException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    /** The name of the queue; part of the serialized form. */
    private final String queue;

    private final transient OfferResult.Full refusal;

    /** In whole seconds; part of the serialized form. */
    private final long retryAfterSeconds;

    /**
     * Makes an exception for an offer to a full queue.
     *
     * @param queue the name of its policy
     * @param refusal the result of the offer
     */
    public QueueFullException(String queue, OfferResult.Full refusal) {
        super(
                "queue full: " + queue + " holds " + refusal.length() + "; retry in " + refusal.retryAfter(),
                null,
                false);
        this.queue = queue;
        this.refusal = refusal;
        this.retryAfterSeconds = wholeSeconds(refusal.retryAfter());
    }

    /**
     * {@return when a place may be free, in whole seconds, at least 1, as a hint} It is
     * {@link OfferResult.Full#retryAfter} rounded up: use it as {@code Retry-After} of a response
     * of your own.
     */
    @Override
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** {@return the name of the queue} */
    public String queue() {
        return queue;
    }

    /** {@return the result of the offer; null after serialization} */
    public OfferResult.Full refusal() {
        return refusal;
    }

    @Override
    public Duration retryAfter() {
        return refusal == null ? super.retryAfter() : refusal.retryAfter();
    }

    @Override
    public Optional<String> clientDetail() {
        return Optional.of("Queue \"" + queue + "\" is full");
    }
}
