package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.internal.settings.RestProperties;
import java.util.List;
import java.util.concurrent.Callable;

/** The start of an application; returns why it is refused, or nothing. */
public final class StartScenario implements Callable<List<String>> {

    /** For the test, by reflection. */
    public StartScenario() {}

    @Override
    public List<String> call() {
        try {
            ApplicationRuntime.ofApplication(
                            ServerContext.withoutServlets(null), RestProperties.NONE, new DeploymentFailure())
                    .close();
            return List.of();
        } catch (RuntimeException refused) {
            return List.of(refused.getMessage());
        }
    }
}
