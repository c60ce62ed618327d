package dev.limiter.example;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/**
 * The figures that are in force: those of the annotations, unless configuration says otherwise.
 */
@Path("policies")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class PolicyResource {

    @Inject
    RateLimits limits;

    /**
     * As clients see a policy.
     *
     * @param capacity units that can be spent back to back
     * @param windowMillis 0 where there is no window
     * @param maxWaitMillis the longest a request is held
     */
    record Figures(
            String name, String algorithm, long limit, long capacity, double windowMillis, double maxWaitMillis) {
        static Figures of(Policy policy) {
            boolean windowless = policy.algorithm() == Algorithm.CONCURRENCY;
            return new Figures(
                    policy.name(),
                    policy.algorithm().name(),
                    policy.limit(),
                    policy.capacity(),
                    windowless ? 0 : policy.windowMicros() / 1_000.0,
                    policy.maxWaitMicros() / 1_000.0);
        }
    }

    /** @param names of policies of this application, answered in this order */
    @GET
    public Response named(@QueryParam("name") List<String> names) {
        try {
            return Response.ok(
                            names.stream().map(limits::policy).map(Figures::of).toList())
                    .build();
        } catch (IllegalArgumentException unknown) {
            return Response.status(Response.Status.NOT_FOUND)
                    .entity(Map.of("error", unknown.getMessage()))
                    .build();
        }
    }
}
