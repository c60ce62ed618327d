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

/** Authenticates the caller as filters of servlets do: it wraps the request. */
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
        } else if (name == null) {
            chain.doFilter(request, response);
        } else {
            request.setAttribute("tenant", "of " + name);
            chain.doFilter(new SignedIn(request, () -> name), response);
        }
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
    }
}
