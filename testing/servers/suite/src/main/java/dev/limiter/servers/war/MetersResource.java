package dev.limiter.servers.war;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Shows counters of the limiter. */
@Path("meters")
@RequestScoped
public class MetersResource {

    @Produces
    @Singleton
    static final MeterRegistry REGISTRY = new SimpleMeterRegistry();

    @Inject
    private MeterRegistry registry;

    /** How many questions for quotas failed for a reason. */
    @GET
    @Path("quota/{reason}")
    public long quota(@PathParam("reason") String reason) {
        Counter counter = registry.find("limiter.quota.failures")
                .tags("policy", "plan", "reason", reason)
                .counter();
        return counter == null ? 0 : Math.round(counter.count());
    }
}
