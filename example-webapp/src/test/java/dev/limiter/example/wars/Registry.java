package dev.limiter.example.wars;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The meter registry of an application, as a bean. */
@ApplicationScoped
public class Registry {
    /**
     * The system property that says which meter was removed last, also after the application has
     * ended.
     */
    public static final String REMOVED = "signals.removed";

    @Produces
    @Singleton
    public MeterRegistry registry() {
        MeterRegistry registry = new SimpleMeterRegistry();
        registry.config()
                .onMeterRemoved(
                        meter -> System.setProperty(REMOVED, meter.getId().getName()));
        return registry;
    }
}
