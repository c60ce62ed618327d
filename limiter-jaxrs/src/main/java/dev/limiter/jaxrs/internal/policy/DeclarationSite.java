package dev.limiter.jaxrs.internal.policy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The place where a limit is declared.
 *
 * @param shortName for messages: {@code TicketResource.buy}
 * @param identity tells places apart: full class name and signature
 * @param via the annotation that carries the limit, such as {@code @LoginProtection}; empty for
 *     none
 */
public record DeclarationSite(String shortName, String identity, String via) {

    public static DeclarationSite of(Class<?> resourceClass) {
        return new DeclarationSite(resourceClass.getSimpleName(), resourceClass.getName(), "");
    }

    public static DeclarationSite of(Class<?> resourceClass, Method method) {
        String parameters =
                Arrays.stream(method.getParameterTypes()).map(Class::getName).collect(Collectors.joining(","));
        return new DeclarationSite(
                name(resourceClass) + '.' + method.getName(),
                resourceClass.getName() + '.' + method.getName() + '(' + parameters + ')',
                "");
    }

    /** An anonymous class, such as a handler of a resource, has no simple name. */
    private static String name(Class<?> type) {
        return type.isAnonymousClass() ? type.getName().replaceFirst(".*\\.", "") : type.getSimpleName();
    }

    /** The same place, for a limit of another annotation. */
    public DeclarationSite via(String annotation) {
        return new DeclarationSite(shortName, identity, annotation);
    }

    /** The beginning of every message: {@code @RateLimited.window on TicketResource.buy: }. */
    public String address(String member) {
        return "@RateLimited." + member + (via.isEmpty() ? "" : " in " + via) + " on " + shortName + ": ";
    }
}
