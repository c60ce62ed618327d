package tickets;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

@Path("metrics")
@ApplicationScoped
public class MetricsResource {
    @Inject
    PrometheusMeterRegistry registry;

    @Produces
    @Singleton
    static PrometheusMeterRegistry registry() {
        return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    @GET
    @jakarta.ws.rs.Produces("text/plain; version=0.0.4")
    public String metrics() {
        return registry.scrape();
    }
}
