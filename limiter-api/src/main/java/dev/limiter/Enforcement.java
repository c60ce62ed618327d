package dev.limiter;

/** What becomes of a request for which a policy has no room. */
public enum Enforcement {
    /** The request is rejected. */
    ENFORCED,

    /**
     * The request passes and is counted beyond the limit. Clients are told that nothing is left.
     * The method can ask whether the limit is exceeded, and how many units are used, as for an
     * invoice. Only for {@code FIXED_WINDOW}, whose count is exact. It counts at most
     * 4,294,967,295 units in each window. A request whose units do not fit passes uncounted.
     */
    SOFT,

    /**
     * The request passes, and is counted only where it fits. Clients are told nothing: metrics
     * and events tell what would have been rejected. To try a limit out.
     */
    SHADOW
}
