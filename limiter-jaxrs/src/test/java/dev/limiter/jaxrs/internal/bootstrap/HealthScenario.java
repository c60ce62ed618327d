package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.platform.OptionalLibrary;
import java.util.List;
import java.util.concurrent.Callable;

/** Returns the qualifier of the health check, if there is one. */
public final class HealthScenario implements Callable<List<String>> {

    /** For the test, by reflection. */
    public HealthScenario() {}

    @Override
    public List<String> call() {
        return OptionalLibrary.HEALTH.ifUsable(StoreHealth::readiness).map(Object::toString).stream()
                .toList();
    }
}
