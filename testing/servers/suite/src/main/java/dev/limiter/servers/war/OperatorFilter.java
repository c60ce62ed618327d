package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/** Signs a caller in by its word. It has the role of its name. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class OperatorFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String name = request.getHeaderString("X-User");
        request.setSecurityContext(new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return name == null ? null : () -> name;
            }

            @Override
            public boolean isUserInRole(String role) {
                return role.equals(name);
            }

            @Override
            public boolean isSecure() {
                return false;
            }

            @Override
            public String getAuthenticationScheme() {
                return "as it says";
            }
        });
    }
}
