package dev.limiter.cdi;

import java.security.Principal;

/**
 * Names the user on whose behalf a bean is called, for servers that name none by a bean of type
 * {@link Principal}. It is found by {@link java.util.ServiceLoader}, and asked where no request of
 * Jakarta REST is at hand.
 */
@FunctionalInterface
public interface CallUser {

    /** {@return the authenticated user of the present thread; null if there is none} */
    Principal user();
}
