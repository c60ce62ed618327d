package dev.limiter.jaxrs.internal.cdi;

import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.StoreState;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import java.lang.annotation.Annotation;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * What MicroProfile Health shows of the limiter. Always up: without its store the service goes on, and taking every instance out of
 * rotation would be the outage that the limiter must never be. Apart, so that its types are asked for only where they are; no bean
 * by annotation, which a container that has them not would trip over.
 */
final class StoreHealth {
    private static final String NAME = "rate-limiter";

    private StoreHealth() {}

    /** What qualifies the check. It asks for all that will be asked of the library: one that is too old fails here. */
    static Annotation readiness() {
        response(new StoreState(InstantSource.system()));
        return Readiness.Literal.INSTANCE;
    }

    /** Adds the check to an application. */
    static void addTo(AfterBeanDiscovery event) {
        event.<HealthCheck>addBean()
                .types(HealthCheck.class, Object.class)
                .addQualifier(readiness())
                .scope(ApplicationScoped.class)
                .produceWith(beans -> {
                    StoreState store = beans.select(Listeners.class).get().store();
                    return () -> response(store);
                });
    }

    /** For each node that ever failed: its state, why, and since when. */
    static HealthCheckResponse response(StoreState store) {
        Map<String, Object> data = new LinkedHashMap<>();
        store.nodes().forEach((node, state) -> {
            data.put(node, state.reachable() ? "reachable" : "unreachable");
            data.put(node + " since", state.since().toString());
            if (!state.reachable()) {
                data.put(node + " reason", state.reason());
            }
        });
        data.put("store", state(store));
        return new HealthCheckResponse(NAME, HealthCheckResponse.Status.UP, Optional.of(data));
    }

    private static String state(StoreState store) {
        if (!store.isKnown()) {
            return "none";
        }
        return store.nodes().values().stream().allMatch(StoreState.Node::reachable) ? "reachable" : "unreachable";
    }
}
