package dev.limiter.jaxrs;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where a limit is declared.
 *
 * @param shortName for people: {@code TicketResource.buy}
 * @param identity for telling places apart: full class name and signature
 */
record Place(String shortName, String identity) {

    static Place of(Class<?> resourceClass) {
        return new Place(resourceClass.getSimpleName(), resourceClass.getName());
    }

    static Place of(Class<?> resourceClass, Method method) {
        String parameters =
                Arrays.stream(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(","));
        return new Place(
                resourceClass.getSimpleName() + '.' + method.getName(),
                resourceClass.getName() + '.' + method.getName() + '(' + parameters + ')');
    }

    /** The beginning of every message: {@code @RateLimited.window on TicketResource.buy: }. */
    String address(String member) {
        return "@RateLimited." + member + " on " + shortName + ": ";
    }
}
