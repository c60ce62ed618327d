package dev.limiter.jaxrs.internal.request;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.RestForm;
import dev.limiter.jaxrs.internal.key.CountedMethod;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import java.security.Principal;
import java.util.List;

/**
 * A request to Jakarta REST. Not public: key expressions see {@link LimitedRequest} only, not the
 * request of the server.
 *
 * @param context the request
 * @param plan of the matched resource method, or of the application before matching
 * @param addresses finds the client's address
 * @param server what it knows of the request beside its context
 */
record RestRequest(ContainerRequestContext context, Plan plan, Lazy<ClientAddress> addresses, RequestAccess server)
        implements LimitedRequest {
    @Override
    public String method() {
        return CountedMethod.of(context.getMethod());
    }

    @Override
    public String endpoint() {
        return plan.endpoint();
    }

    @Override
    public Principal user() {
        return context.getSecurityContext().getUserPrincipal();
    }

    @Override
    public String peerAddress() {
        return server.peer().apply(context);
    }

    @Override
    public String clientAddress() {
        return addresses.get().of(this);
    }

    @Override
    public String header(String name) {
        return context.getHeaders().getFirst(name);
    }

    @Override
    public List<String> headers(String name) {
        return context.getHeaders().getOrDefault(name, List.of());
    }

    @Override
    public String query(String name) {
        return context.getUriInfo().getQueryParameters().getFirst(name);
    }

    @Override
    public String pathParameter(String name) {
        return context.getUriInfo().getPathParameters().getFirst(name);
    }

    @Override
    public String cookie(String name) {
        try {
            Cookie cookie = context.getCookies().get(name);
            return cookie == null ? null : cookie.getValue();
        } catch (IllegalArgumentException malformed) {
            return null; // Jersey refuses a header such as "$Version=x" as a whole: then there is no cookie
        }
    }

    @Override
    public Object attribute(String name) {
        return context.getProperty(name);
    }

    @Override
    public String form(String name) {
        return new RestForm(context, plan.formEntity(), server.parameters()).value(name);
    }
}
