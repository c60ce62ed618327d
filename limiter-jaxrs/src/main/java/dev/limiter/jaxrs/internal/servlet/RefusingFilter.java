package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.bootstrap.DeploymentFailure;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Answers each request with 500, where the server goes on although limits cannot be put in force.
 */
record RefusingFilter(DeploymentFailure failure) implements Filter {
    /** Filters start after CDI. */
    @Override
    public void init(FilterConfig config) {
        failure.tellHealth();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException {
        failure.remind();
        ((HttpServletResponse) response).sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }
}
