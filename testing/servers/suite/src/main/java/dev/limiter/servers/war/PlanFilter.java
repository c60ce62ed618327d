package dev.limiter.servers.war;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;

/** Stands for whatever knows what a caller has paid for; here the test says it. */
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
