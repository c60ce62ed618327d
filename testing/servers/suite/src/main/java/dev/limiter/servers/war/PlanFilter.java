package dev.limiter.servers.war;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/** Sets the plan of a caller; the test states it. */
@Provider
@PreMatching
public class PlanFilter implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        String plan = request.getHeaderString("Test-Plan");
        if (plan != null) {
            request.setProperty("plan", plan);
        }
    }
}
