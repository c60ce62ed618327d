package dev.limiter;

/**
 * When a limit is decided, around the authentication filters of Jakarta REST, whose priority is 1000. What a container
 * authenticates itself, by web.xml or Jakarta Security, is authenticated before any of them.
 *
 * <p>The limits of one stage are one decision: all admit, or nothing is charged. What an earlier stage took stays taken when a
 * later one rejects.
 */
public enum Stage {
    /**
     * Before the resource method is matched, so that what matches nothing is counted as well. On the {@code Application} only;
     * there is no endpoint, no path parameter, and no user yet.
     */
    BEFORE_MATCHING,

    /** After matching, before the caller has been authenticated: for what guesses passwords. There is no user yet. */
    BEFORE_AUTHENTICATION,

    /** When it is known who calls. */
    AFTER_AUTHENTICATION
}
