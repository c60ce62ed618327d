package dev.limiter.queue;

import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import java.time.Duration;
import java.util.Optional;

/**
 * A {@link BoundedQueue} is full, and nothing was written. A service shapes its response with an
 * {@code ExceptionMapper<QueueFullException>}; without one, the client is answered 429 with
 * problem details.
 *
 * <p>It is thrown without a stack trace, as {@link RateLimitExceededException} is.
 */
public final class QueueFullException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    /** The name of the queue; part of the serialized form. */
    private final String queue;

    private final transient OfferResult.Full refusal;

    /** In whole seconds; part of the serialized form. */
    private final long retryAfterSeconds;

    /**
     * An exception for an offer to a full queue.
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
     * {@link OfferResult.Full#retryAfter} rounded up, and the number for {@code Retry-After} of
     * a service's own response.
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
