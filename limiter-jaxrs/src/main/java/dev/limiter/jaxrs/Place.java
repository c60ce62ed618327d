package dev.limiter.jaxrs;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where a limit is declared.
 *
 * @param shortName for people: {@code TicketResource.buy}
 * @param identity for telling places apart: full class name and signature
 * @param via the annotation that carries the limit, such as {@code @LoginProtection}; empty for none
 */
record Place(String shortName, String identity, String via) {

    static Place of(Class<?> resourceClass) {
        return new Place(resourceClass.getSimpleName(), resourceClass.getName(), "");
    }

    static Place of(Class<?> resourceClass, Method method) {
        String parameters =
                Arrays.stream(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(","));
        return new Place(
                resourceClass.getSimpleName() + '.' + method.getName(),
                resourceClass.getName() + '.' + method.getName() + '(' + parameters + ')',
                "");
    }

    /** The same place, for a limit that another annotation brings. */
    Place via(String annotation) {
        return new Place(shortName, identity, annotation);
    }

    /** The beginning of every message: {@code @RateLimited.window on TicketResource.buy: }. */
    String address(String member) {
        return "@RateLimited." + member + (via.isEmpty() ? "" : " in " + via) + " on " + shortName + ": ";
    }
}
