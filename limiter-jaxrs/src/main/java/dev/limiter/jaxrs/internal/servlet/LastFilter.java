package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;

/**
 * Runs after all other filters, which may have authenticated the caller, and decides the limits
 * of a servlet, with those before authentication that are not decided yet: a forward by name
 * meets no filter but this one, and a filter may have made another method of OPTIONS.
 *
 * @param first has the plans, and sees the request before all other filters
 * @param servlet the name of the only servlet behind this filter; null if others are behind it
 * @param others the names of the servlets that have a last filter of their own
 */
record LastFilter(ServletLifecycleFilter first, String servlet, Set<String> others) implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            Plan plan = plan(http);
            FilterChain late = (same, too) -> first.limited(plan, Stage.AFTER_AUTHENTICATION, http, answer, chain);
            first.limited(plan, Stage.BEFORE_AUTHENTICATION, http, answer, late);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** A request that is forwarded by name has the mapping of the servlet that forwards it. */
    private Plan plan(HttpServletRequest request) {
        if (servlet != null) {
            return first.plan(servlet);
        }
        Plan plan = first.plan(request);
        boolean isOfOther =
                plan != null && others.contains(request.getHttpServletMapping().getServletName());
        return isOfOther ? null : plan;
    }
}
