package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Policy;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.ws.rs.core.Application;
import java.util.List;
import java.util.Set;

/** An application whose classes are shown later. */
final class NoEndpoints {
    private NoEndpoints() {}

    static ApplicationEndpoints known() {
        PolicyRegistry policies = new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime);
        return new DeployedEndpoints(new MapSettings(), policies).started(Application.class, "", Set.of(), List.of());
    }
}
