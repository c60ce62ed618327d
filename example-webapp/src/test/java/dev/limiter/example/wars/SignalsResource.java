package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Is limited, and shows what metrics, events and health say of it. */
@Path("signals")
@RequestScoped
public class SignalsResource {
    @Inject
    MeterRegistry registry;

    @Inject
    Observers observers;

    @Inject
    @Readiness
    Instance<HealthCheck> checks;

    @GET
    @Path("limited")
    @RateLimited(
            name = "limited",
            key = "{header:X-Name}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 1,
            window = "1h",
            tier = "{attribute:plan}",
            tiers = @Tier(name = "gold", limit = 10))
    public String limited() {
        return "limited";
    }

    @GET
    @Path("meters")
    public String meters() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName() + ' ' + meter.getId().getTags() + ' ' + value(meter))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    @GET
    @Path("events")
    public String events() {
        return observers.observed();
    }

    @GET
    @Path("health")
    public String health() {
        HealthCheckResponse response = checks.get().call();
        return response.getName()
                + ' '
                + response.getStatus()
                + ' '
                + response.getData().orElseThrow();
    }

    private static double value(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }
}
