package dev.limiter.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.util.List;
import java.util.function.Supplier;

/**
 * A request to Jakarta REST.
 *
 * @param context the request
 * @param endpoint the matched resource method
 * @param addresses who sent it
 * @param peer the other end of the connection of the current request
 */
record RestRequest(ContainerRequestContext context, String endpoint, ClientAddress addresses, Supplier<String> peer)
        implements LimitedRequest {
    /** What has been put in the place of a body whose beginning was read. */
    static final String FORM_BODY = "dev.limiter.form.body";

    private static final String FORM = "dev.limiter.form";

    @Override
    public String method() {
        return context.getMethod().equals("HEAD") ? "GET" : context.getMethod();
    }

    @Override
    public Principal user() {
        return context.getSecurityContext().getUserPrincipal();
    }

    @Override
    public String peerAddress() {
        return peer.get();
    }

    @Override
    public String clientAddress() {
        return addresses.of(this);
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
        String type = header("Content-Type");
        if (!FormFields.isForm(type)) {
            return null;
        }
        if (!(context.getProperty(FORM) instanceof FormFields)) {
            context.setProperty(FORM, FormFields.parse(beginningOfBody(), type));
        }
        return ((FormFields) context.getProperty(FORM)).value(name);
    }

    /** Reads it and puts it back, so that whoever comes next finds the whole body. */
    private byte[] beginningOfBody() {
        try {
            InputStream body = context.getEntityStream();
            byte[] beginning = body.readNBytes(FormFields.MOST_BYTES);
            FormBody whole = new FormBody(beginning, body);
            context.setEntityStream(whole);
            context.setProperty(FORM_BODY, whole);
            return beginning;
        } catch (IOException gone) {
            throw new UncheckedIOException("the client's form cannot be read", gone);
        }
    }
}
