package dev.limiter.servers.war;

import jakarta.annotation.Priority;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.Provider;
import java.security.Principal;

/** Authenticates each request by its own claims. */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class SignInFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String user = request.getHeaderString("X-User");
        String tenant = request.getHeaderString("X-Claim");
        if (tenant != null) {
            request.setSecurityContext(signedIn(new Token(user, tenant)));
        } else if (user != null) {
            request.setSecurityContext(signedIn(() -> user));
        }
        if (request.getHeaderString("X-Shelf") != null) {
            request.setProperty("shelf", request.getHeaderString("X-Shelf"));
        }
        CDI.current().select(Visitor.class).get().setGroup(request.getHeaderString("X-Group"));
    }

    private static SecurityContext signedIn(Principal caller) {
        return new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return caller;
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
        };
    }
}
