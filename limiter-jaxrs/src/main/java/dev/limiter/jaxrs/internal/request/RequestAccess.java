package dev.limiter.jaxrs.internal.request;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.ext.Providers;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a server knows of a request beside its context. It uses no servlet type, because the
 * library also runs without servlets. Only the application that serves the request may ask.
 *
 * @param matched its resource method; without one before matching
 * @param providers the mappers of the application
 * @param peer the other end of the connection; null if it is not known
 * @param parameters of query and form, empty without a servlet container; the call makes the
 *     container read a form that is not read yet
 */
public record RequestAccess(
        Function<ContainerRequestContext, ResourceInfo> matched,
        Function<ContainerRequestContext, Providers> providers,
        Function<ContainerRequestContext, String> peer,
        Supplier<Map<String, String[]>> parameters) {}
