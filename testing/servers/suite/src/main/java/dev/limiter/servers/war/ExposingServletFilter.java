package dev.limiter.servers.war;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** CORS as servlet containers bring it: set before Jakarta REST knows of the request. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class ExposingServletFilter extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getHeader("Origin") != null) {
            response.addHeader("Access-Control-Expose-Headers", "X-Of-Servlets");
        }
        chain.doFilter(request, response);
    }
}
