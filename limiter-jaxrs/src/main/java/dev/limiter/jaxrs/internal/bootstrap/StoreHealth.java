package dev.limiter.jaxrs.internal.bootstrap;

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
 * The limiter in MicroProfile Health. It is up without its store: the service goes on, and
 * taking every instance out of rotation would cause an outage. It is down if limits cannot be
 * put in force: then requests get 500, and the log has the reason. A class of its own, so that
 * the types of MicroProfile Health are loaded only where they exist. It is no annotated bean,
 * because a container without these types would fail on it.
 */
public final class StoreHealth {
    private static final String NAME = "rate-limiter";

    private StoreHealth() {}

    /**
     * The qualifier of the check. It touches all that is needed of the library, so that a
     * version that is too old fails here.
     */
    static Annotation readiness() {
        response(new StoreState(InstantSource.system()), false);
        return Readiness.Literal.INSTANCE;
    }

    /** Adds the check to an application. */
    static void addTo(AfterBeanDiscovery event) {
        LimiterExtension.bean(event, HealthCheck.class, ApplicationScoped.class)
                .addQualifier(readiness())
                .produceWith(beans -> {
                    Listeners listeners = beans.select(Listeners.class).get();
                    return () -> of(listeners);
                });
    }

    /** The response of an application. */
    public static HealthCheckResponse of(Listeners listeners) {
        return response(listeners.store(), listeners.limitsHaveFailed());
    }

    /**
     * The response. For each node that ever failed it has its state, the reason, and since when.
     *
     * @param limitsHaveFailed whether limits cannot be put in force
     */
    static HealthCheckResponse response(StoreState store, boolean limitsHaveFailed) {
        Map<String, Object> data = new LinkedHashMap<>();
        store.nodes().forEach((node, state) -> {
            data.put(node, state.reachable() ? "reachable" : "unreachable");
            data.put(node + " since", state.since().toString());
            if (!state.reachable()) {
                data.put(node + " reason", state.reason());
            }
        });
        data.put("store", state(store));
        if (limitsHaveFailed) {
            data.put("limits", "not in force");
        }
        return new HealthCheckResponse(
                NAME,
                limitsHaveFailed ? HealthCheckResponse.Status.DOWN : HealthCheckResponse.Status.UP,
                Optional.of(data));
    }

    private static String state(StoreState store) {
        if (!store.isKnown()) {
            return "none";
        }
        return store.nodes().values().stream().allMatch(StoreState.Node::reachable) ? "reachable" : "unreachable";
    }
}
