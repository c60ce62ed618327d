package dev.limiter.servers.war;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import java.io.IOException;

/**
 * Keeps what the servlet container made. Undertow forwards only its own requests and wrappers of
 * them, and what RESTEasy injects is a proxy.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class OriginalRequest implements Filter {
    private static final String REQUEST = "original.request";
    private static final String RESPONSE = "original.response";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        request.setAttribute(REQUEST, request);
        request.setAttribute(RESPONSE, response);
        chain.doFilter(request, response);
    }

    /** Lets another path answer a request. */
    static void forward(ServletRequest injected, String path) throws IOException, ServletException {
        ServletRequest request = (ServletRequest) injected.getAttribute(REQUEST);
        ServletResponse response = (ServletResponse) injected.getAttribute(RESPONSE);
        request.getRequestDispatcher(path).forward(request, response);
    }
}
