package dev.limiter.servers.war;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/** Sets the plan and the time zone of a caller; the test states them. */
@Provider
@PreMatching
public class PlanFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        set("plan", request.getHeaderString("Test-Plan"), request);
        set("zone", request.getHeaderString("Test-Zone"), request);
    }

    private static void set(String name, String value, ContainerRequestContext request) {
        if (value != null) {
            request.setProperty(name, value);
        }
    }
}
