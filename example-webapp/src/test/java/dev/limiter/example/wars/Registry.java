package dev.limiter.example.wars;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.TreeSet;

/** The meter registry of an application, as a bean. */
@ApplicationScoped
public class Registry {
    /**
     * The system property that names the meters that were removed, also after the application
     * has ended.
     */
    public static final String REMOVED = "signals.removed";

    @Produces
    @Singleton
    public MeterRegistry registry() {
        MeterRegistry registry = new SimpleMeterRegistry();
        Set<String> removed = new TreeSet<>();
        registry.config().onMeterRemoved(meter -> {
            removed.add(meter.getId().getName());
            System.setProperty(REMOVED, String.join(" ", removed));
        });
        return registry;
    }
}
