package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.MapSettings;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** A deployment that makes a decision; returns the names of the meters afterwards. */
public final class MetersScenario implements Callable<List<String>> {

    /** For the test, by reflection. */
    public MetersScenario() {}

    @Override
    public List<String> call() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        ApplicationRuntime runtime = new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null));
        try (RateLimiter limiter = runtime.limiter()) {
            PartitionKey alice = PartitionKey.of("user", "alice");
            limiter.acquire(Policy.of("api", Algorithm.GCRA, 5, Duration.ofSeconds(10)), alice);
            runtime.signals().breaker("a:1", true, "timed out");
            return registry.getMeters().stream()
                    .map(Meter::getId)
                    .map(Meter.Id::getName)
                    .toList();
        } finally {
            runtime.close();
            Metrics.removeRegistry(registry);
            Metrics.globalRegistry.clear();
        }
    }
}
