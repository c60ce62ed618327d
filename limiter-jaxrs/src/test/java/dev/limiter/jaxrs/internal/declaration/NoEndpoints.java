package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Policy;
import dev.limiter.jaxrs.MapSettings;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** An application whose classes are shown later. */
final class NoEndpoints {
    private NoEndpoints() {}

    static ApplicationEndpoints known() {
        return new DeployedEndpoints(new MapSettings(), Policy.DEFAULT_LEASE).started(Application.class, "", Set.of());
    }
}
