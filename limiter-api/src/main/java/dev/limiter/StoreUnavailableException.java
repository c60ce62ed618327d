package dev.limiter;

import java.util.List;
import java.util.Optional;

/**
 * The store that holds the counts gave no decision, so the request was neither admitted nor
 * rejected. If {@link RateLimiter#acquireEach} throws it, some groups may have been decided: see
 * {@link #decision}.
 *
 * <p>It has no stack trace of its own, because there may be thousands a second while the store is
 * away. Its cause has one if the store was called.
 */
public final class StoreUnavailableException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    /** The decisions of a call; null unless some groups were decided. */
    private final transient List<Optional<Decision>> decisions;

    /**
     * Makes an exception for a failure of the store.
     *
     * @param message which store, and what it did instead of answering
     * @param cause what the store's client threw
     */
    public StoreUnavailableException(String message, Throwable cause) {
        this(message, cause, null);
    }

    private StoreUnavailableException(String message, Throwable cause, List<Optional<Decision>> decisions) {
        super(message, cause, false);
        this.decisions = decisions;
    }

    /**
     * {@return the same failure, with the decisions of {@link RateLimiter#acquireEach} that were
     * made}
     *
     * @param made a decision for each group of the call, in their order; empty for groups that
     *     have none
     */
    public StoreUnavailableException withDecisions(List<Optional<Decision>> made) {
        return new StoreUnavailableException(getMessage(), getCause(), List.copyOf(made));
    }

    /**
     * {@return the decision of one group of {@link RateLimiter#acquireEach}; empty if there is
     * none} It is valid: what it admitted is charged. If another method threw this exception, it
     * is always empty.
     *
     * @param group its place in the call, from 0
     */
    public Optional<Decision> decision(int group) {
        return decisions == null || group >= decisions.size() ? Optional.empty() : decisions.get(group);
    }

    /** {@return 1, as a hint, because nobody knows when the store will be back} */
    @Override
    public long retryAfterSeconds() {
        return 1;
    }
}
