package dev.limiter.servers.war;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * Asks for a parameter where a client says so, so that the container has read the form before
 * Jakarta REST can.
 */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public final class ParameterReader implements Filter {

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (((HttpServletRequest) request).getHeader("X-Read-Parameters") != null) {
            request.getParameter("username");
        }
        chain.doFilter(request, response);
    }
}
