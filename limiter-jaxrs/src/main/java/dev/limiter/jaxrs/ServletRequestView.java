package dev.limiter.jaxrs;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.List;

/**
 * A request to a servlet.
 *
 * @param request the request
 * @param endpoint the class of the servlet
 * @param addresses who sent it
 */
record ServletRequestView(HttpServletRequest request, String endpoint, ClientAddress addresses)
        implements LimitedRequest {

    @Override
    public String method() {
        return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
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
        return addresses.of(this);
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
        List<String> values = inQuery(name);
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
     * From the container, which reads the form and keeps it for the servlet: only one whose length is known to be small. Its values
     * follow those of the query, which are not meant.
     */
    @Override
    public String form(String name) {
        boolean small = request.getContentLengthLong() >= 0 && request.getContentLengthLong() <= FormFields.MOST_BYTES;
        if (!small || !FormFields.isForm(request.getContentType())) {
            return null;
        }
        String[] values = request.getParameterValues(name);
        int ofQuery = inQuery(name).size();
        return values == null || values.length <= ofQuery ? null : values[ofQuery];
    }

    @Override
    public Object attribute(String name) {
        return request.getAttribute(name);
    }

    private List<String> inQuery(String name) {
        return UrlEncoded.fields(request.getQueryString(), StandardCharsets.UTF_8)
                .getOrDefault(name, List.of());
    }
}
