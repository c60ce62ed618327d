package dev.limiter;

/**
 * When a limit is decided, relative to the authentication filters of Jakarta REST, which have
 * priority 1000. A container that authenticates by itself, by web.xml or Jakarta Security, does so
 * before all stages. For a servlet the stages are before, and after, all other filters.
 *
 * <p>The limits of one stage are one decision: either all admit, or none is charged. If a later
 * stage rejects, what an earlier stage took stays taken.
 */
public enum Stage {
    /**
     * Before the resource method is matched, so that requests that match no method count, too.
     * There is no endpoint, no path parameter and no user yet. Only for the {@code Application}.
     */
    BEFORE_MATCHING,

    /**
     * After matching and before authentication, to limit guesses of passwords. There is no user
     * yet.
     */
    BEFORE_AUTHENTICATION,

    /** After authentication, when the user is known. */
    AFTER_AUTHENTICATION
}
