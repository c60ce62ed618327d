package dev.limiter;

/**
 * When a limit is decided, relative to the authentication filters of Jakarta REST, whose
 * priority is 1000. A container that authenticates by itself, by web.xml or Jakarta Security,
 * does so before all stages. For a servlet the stages are before, and after, all other filters.
 *
 * <p>The limits of one stage are one decision: all admit, or nothing is charged. Units that an
 * earlier stage took stay taken when a later stage rejects.
 */
public enum Stage {
    /**
     * Before the resource method is matched, so that requests that match no method are counted
     * as well. For the {@code Application} only. There is no endpoint, no path parameter, and no
     * user yet.
     */
    BEFORE_MATCHING,

    /**
     * After matching, before the caller has been authenticated, to limit guesses of passwords.
     * There is no user yet.
     */
    BEFORE_AUTHENTICATION,

    /** When the caller is known. */
    AFTER_AUTHENTICATION
}
