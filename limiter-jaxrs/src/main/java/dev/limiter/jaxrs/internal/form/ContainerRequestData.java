package dev.limiter.jaxrs.internal.form;

import java.util.Map;
import java.util.function.Supplier;

/**
 * What a servlet container knows of the request that the current thread serves, without a servlet type: the library runs where
 * there are none. Only the application that serves the request may ask.
 *
 * @param peer the other end of the connection; null where that is not known
 * @param parameters those of query and form; to ask makes the container read a form that is not read yet
 */
public record ContainerRequestData(Supplier<String> peer, Supplier<Map<String, String[]>> parameters) {
    /** Where there is no servlet container. */
    public static final ContainerRequestData NONE = new ContainerRequestData(() -> null, Map::of);
}
