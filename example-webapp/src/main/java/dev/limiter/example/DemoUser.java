package dev.limiter.example;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/**
 * The security context of a request by one of the {@link DemoUsers}; each has the role of its
 * name.
 */
record DemoUser(String name, SecurityContext connection) implements SecurityContext {

    @Override
    public Principal getUserPrincipal() {
        return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
        return name.equals(role);
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public String getAuthenticationScheme() {
        return BASIC_AUTH;
    }
}
