package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.FormFields;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.CountedMethod;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.UrlEncoding;
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
 * A request to a servlet. Not public: key expressions see {@link LimitedRequest} only, not the
 * request of the server.
 *
 * @param request the request
 * @param endpoint the class of the servlet
 * @param addresses finds the client's address
 */
record ServletRequestAdapter(HttpServletRequest request, String endpoint, Lazy<ClientAddress> addresses)
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

    /** Reads the query itself: the container would read a form to find the value. */
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
     * Asks the container, as the servlet does: its parameters are those of query and form. The
     * container reads the form for that, so the form must announce that it is small.
     */
    @Override
    public String form(String name) {
        if (FormFields.isNamedIn(request.getContentType())) {
            requireSmall();
        }
        String[] values = request.getParameterValues(name);
        if (FormFields.isMultipart(request.getContentType())
                && (values == null || !isFormData(request.getContentType()) || !hasPartsAsParameters(name))) {
            throw FormFields.unsupportedType(); // its servlet may read the parts itself
        }
        return values == null ? null : FormFields.only(name, Arrays.asList(values));
    }

    /** Whether parts can be parameters. Tomcat has parts of any multipart. */
    private static boolean isFormData(String contentType) {
        return contentType.split(";", 2)[0].strip().equalsIgnoreCase("multipart/form-data");
    }

    /**
     * Whether the parts of a name are in the parameters. Parts of a file are not; then the
     * parameters come from other parts, or from the query.
     */
    private boolean hasPartsAsParameters(String name) {
        try {
            List<Part> parts = request.getParts().stream()
                    .filter(part -> name.equals(part.getName()))
                    .toList();
            return !parts.isEmpty() && parts.stream().allMatch(part -> part.getSubmittedFileName() == null);
        } catch (IOException | ServletException | IllegalStateException unread) {
            return false; // such as for a servlet without @MultipartConfig
        }
    }

    /**
     * Refuses a form without a length: it is chunked, or of HTTP/2. A request of HTTP/1 with
     * neither has no body.
     */
    private void requireSmall() {
        long length = request.getContentLengthLong();
        if (length > UnreadableFormException.MOST_BYTES) {
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
