package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/**
 * Authentication in Jakarta REST: a caller that says "wrong" is refused, and every other caller
 * is the one that it names.
 */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class WordFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String word = request.getHeaderString("Authorization");
        if ("wrong".equals(word)) {
            request.abortWith(Response.status(401).entity("wrong").build());
        } else if (word != null) {
            request.setSecurityContext(new Caller(() -> word, request.getSecurityContext()));
        }
    }

    private record Caller(Principal principal, SecurityContext before) implements SecurityContext {
        @Override
        public Principal getUserPrincipal() {
            return principal;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }

        @Override
        public boolean isSecure() {
            return before.isSecure();
        }

        @Override
        public String getAuthenticationScheme() {
            return "word";
        }
    }
}
