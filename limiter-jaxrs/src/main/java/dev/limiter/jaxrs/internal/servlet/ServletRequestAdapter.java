package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.FormFields;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.CountedMethod;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.text.UrlEncoding;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A request to a servlet.
 *
 * @param request the request
 * @param endpoint the class of the servlet
 * @param addresses who sent it
 */
public record ServletRequestAdapter(HttpServletRequest request, String endpoint, Lazy<ClientAddress> addresses)
        implements LimitedRequest {

    @Override
    public String method() {
        return CountedMethod.of(request.getMethod());
    }

    @Override
    public Principal user() {
        return request.getUserPrincipal();
    }

    @Override
    public String peerAddress() {
        return request.getRemoteAddr();
    }

    @Override
    public String clientAddress() {
        return addresses.get().of(this);
    }

    @Override
    public String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public List<String> headers(String name) {
        return Collections.list(request.getHeaders(name));
    }

    /** Not asked of the container, which would read a form to find it. */
    @Override
    public String query(String name) {
        List<String> values = UrlEncoding.fields(request.getQueryString(), StandardCharsets.UTF_8)
                .getOrDefault(name, List.of());
        return values.isEmpty() ? null : values.get(0);
    }

    @Override
    public String pathParameter(String name) {
        return null;
    }

    @Override
    public String cookie(String name) {
        Cookie[] cookies = request.getCookies();
        for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
            if (cookie.getName().equals(name)) {
                return cookie.getValue();
            }
        }
        return null;
    }

    /**
     * From the container, as the servlet has it: its parameters are those of query and form. The container reads a form for that,
     * so the form must say that it is small.
     */
    @Override
    public String form(String name) {
        if (FormFields.isNamedIn(request.getContentType())) {
            requireSmall();
        }
        String[] values = request.getParameterValues(name);
        if (FormFields.isMultipart(request.getContentType()) && (values == null || !hasPartsAsParameters(name))) {
            throw FormFields.unsupportedType(); // its servlet may read the parts itself
        }
        return values == null ? null : FormFields.only(name, Arrays.asList(values));
    }

    /** Whether the parts of a name are in its parameters: those of a file are not, and then the parameters are of others, or of the query. */
    private boolean hasPartsAsParameters(String name) {
        try {
            List<Part> parts = request.getParts().stream()
                    .filter(part -> name.equals(part.getName()))
                    .toList();
            return !parts.isEmpty() && parts.stream().allMatch(part -> part.getSubmittedFileName() == null);
        } catch (IOException | ServletException | IllegalStateException unread) {
            return false; // such as by a servlet without @MultipartConfig
        }
    }

    /** A body without a length is chunked, or of HTTP/2; a request of HTTP/1 with neither has none. */
    private void requireSmall() {
        long length = request.getContentLengthLong();
        if (length > FormFields.MOST_BYTES) {
            throw UnreadableFormException.tooLarge();
        }
        boolean http1 = request.getProtocol().startsWith("HTTP/1");
        if (length < 0 && (!http1 || request.getHeader("Transfer-Encoding") != null)) {
            throw UnreadableFormException.withoutLength();
        }
    }

    @Override
    public Object attribute(String name) {
        return request.getAttribute(name);
    }
}
