package dev.limiter.jaxrs.internal.cdi;

import dev.limiter.jaxrs.internal.platform.OptionalLibrary;
import java.util.List;
import java.util.concurrent.Callable;

/** What qualifies the health check, if there is to be one. */
public final class HealthScenario implements Callable<List<String>> {

    /** For the test, by reflection. */
    public HealthScenario() {}

    @Override
    public List<String> call() {
        return OptionalLibrary.HEALTH.ifUsable(StoreHealth::readiness).map(Object::toString).stream()
                .toList();
    }
}
