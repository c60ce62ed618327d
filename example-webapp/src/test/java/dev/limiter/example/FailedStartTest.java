package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.RateLimitFeature;
import io.micrometer.core.instrument.Metrics;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** A start that fails in Jersey, which then ends no feature. */
class FailedStartTest {

    /** The limiter is made before the addresses of clients, which are not known here. */
    @Test
    void itLeavesNothing() {
        Metrics.globalRegistry.clear();
        ResourceConfig application =
                new ResourceConfig(WithoutServletsTest.Guarded.class).register(RateLimitFeature.class);
        assertThatThrownBy(() -> new ApplicationHandler(application)).hasMessageContaining("is not known");
        assertThat(Metrics.globalRegistry.getMeters())
                .map(meter -> meter.getId().getName())
                .doesNotContain("limiter.leases.renewed");
    }
}
