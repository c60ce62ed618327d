package dev.limiter.quarkus;

import dev.limiter.jaxrs.internal.bootstrap.StoreHealth;
import dev.limiter.jaxrs.internal.signals.Listeners;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** The limiter in SmallRye Health, where the application has it. */
@Readiness
@ApplicationScoped
class StoreHealthCheck implements HealthCheck {
    private final Listeners listeners;

    StoreHealthCheck(Listeners listeners) {
        this.listeners = listeners;
    }

    @Override
    public HealthCheckResponse call() {
        return StoreHealth.of(listeners);
    }
}
