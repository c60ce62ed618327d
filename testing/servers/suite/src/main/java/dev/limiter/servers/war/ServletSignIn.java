package dev.limiter.servers.war;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;

/**
 * Authenticates the caller as filters of servlets do: it wraps the request. A caller may name
 * another method than the one on the wire.
 */
@WebFilter(
        urlPatterns = {"/s/caller", "/s/later"},
        asyncSupported = true)
public class ServletSignIn extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String name = request.getHeader("X-Signed-In");
        if ("wrong".equals(name)) {
            response.setStatus(401);
            return;
        }
        if (name != null) {
            request.setAttribute("tenant", "of " + name);
        }
        chain.doFilter(new SignedIn(request, name == null ? null : () -> name), response);
    }

    private static final class SignedIn extends HttpServletRequestWrapper {
        private final Principal user;

        SignedIn(HttpServletRequest request, Principal user) {
            super(request);
            this.user = user;
        }

        @Override
        public Principal getUserPrincipal() {
            return user;
        }

        @Override
        public String getMethod() {
            String named = getHeader("X-HTTP-Method-Override");
            return named == null ? super.getMethod() : named;
        }
    }
}
