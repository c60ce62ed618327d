package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/** Authenticates each request as it says. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class SenderFilter implements ContainerRequestFilter {

    private record Sender(Principal principal) implements SecurityContext {
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
            return false;
        }

        @Override
        public String getAuthenticationScheme() {
            return "as it says";
        }
    }

    @Override
    public void filter(ContainerRequestContext request) {
        String user = request.getHeaderString("X-User");
        request.setSecurityContext(new Sender(user == null ? null : () -> user));
    }
}
