package dev.limiter;

import java.util.List;
import java.util.Optional;

/**
 * The store that holds the counts gave no decision; the request was neither admitted nor
 * rejected. When {@link RateLimiter#acquireEach} throws it, some of the groups may have been
 * decided: see {@link #decision}.
 *
 * <p>It is thrown without a stack trace of its own, since there may be thousands a second while
 * the store is away. Its cause has a stack trace if the store was called.
 */
public final class StoreUnavailableException extends NotAdmittedException {
    private static final long serialVersionUID = 1L;

    /** The decisions of a call; null unless some groups were decided. */
    private final transient List<Optional<Decision>> decisions;

    /**
     * An exception for a failure of the store.
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
     * {@return the same failure, which left some groups of {@link RateLimiter#acquireEach}
     * undecided}
     *
     * @param made for each group of the call, in their order, its decision; empty for those that
     *     have none
     */
    public StoreUnavailableException withDecisions(List<Optional<Decision>> made) {
        return new StoreUnavailableException(getMessage(), getCause(), List.copyOf(made));
    }

    /**
     * {@return the decision of one group of {@link RateLimiter#acquireEach}, which stands: what
     * it admitted is charged} Empty if that group was not decided, and if another method threw
     * this exception.
     *
     * @param group its place in the call, from 0
     */
    public Optional<Decision> decision(int group) {
        return decisions == null || group >= decisions.size() ? Optional.empty() : decisions.get(group);
    }

    /** {@return 1, a hint: the store's return is not known} */
    @Override
    public long retryAfterSeconds() {
        return 1;
    }
}
