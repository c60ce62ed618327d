package dev.limiter.example.wars;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The meter registry of an application, as a bean. */
@ApplicationScoped
public class Registry {

    @Produces
    @Singleton
    public MeterRegistry registry() {
        return new SimpleMeterRegistry();
    }
}
