package dev.limiter;

/** What happens to a request for which a policy has no room. */
public enum Enforcement {
    /** The request is rejected. */
    ENFORCED,

    /**
     * The request passes and is counted beyond the limit, exactly, as for an invoice. Clients are
     * told that nothing is left. The method can ask whether the limit is exceeded, and how many
     * units are used.
     *
     * <p>Only for {@code FIXED_WINDOW}. It counts at most 4,294,967,295 units in each window; a
     * request whose units do not fit passes uncounted.
     */
    SOFT,

    /**
     * The request passes, and is counted only if it fits: use it to try a limit out. Metrics and
     * events tell what would have been rejected; clients are told nothing.
     */
    SHADOW
}
