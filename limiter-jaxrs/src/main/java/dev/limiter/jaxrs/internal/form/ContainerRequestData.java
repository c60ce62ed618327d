package dev.limiter.jaxrs.internal.form;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The data that a servlet container has of the request on the current thread. It uses no servlet
 * type, because the library also runs without servlets. Only the application that serves the
 * request may ask.
 *
 * @param peer the other end of the connection; null if it is not known
 * @param parameters of query and form; the call makes the container read a form that is not read
 *     yet
 */
public record ContainerRequestData(Supplier<String> peer, Supplier<Map<String, String[]>> parameters) {
    /** The data without a servlet container: none. */
    public static final ContainerRequestData NONE = new ContainerRequestData(() -> null, Map::of);
}
