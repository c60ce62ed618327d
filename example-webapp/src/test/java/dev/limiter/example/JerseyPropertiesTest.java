package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimitFeature;
import java.net.URI;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** Settings that a Jersey in the process of its application has as properties. */
class JerseyPropertiesTest {
    private static final URI BASE = URI.create("http://localhost/");

    @Test
    void aPropertyChangesALimit() throws Exception {
        ClientAddress client = request -> "192.0.2.1";
        ApplicationHandler jersey = new ApplicationHandler(application()
                .property(ClientAddress.class.getName(), client)
                .property("limiter.policy.guarded.limit", 2));
        assertThat(status(jersey)).isEqualTo(200);
        assertThat(status(jersey)).isEqualTo(200);
        assertThat(status(jersey)).isEqualTo(429);
    }

    @Test
    void wrongPropertiesAreAllNamedAsSuch() {
        ResourceConfig wrong =
                application().property("limiter.lease", "20").property("limiter.redis.url", "redis://localhost");
        assertThatThrownBy(() -> new ApplicationHandler(wrong))
                .hasMessageContaining("limiter.lease: \"20\" is not a duration")
                .hasMessageContaining("limiter.redis.url: no such setting; the nearest is \"limiter.redis.uri\"")
                .satisfies(refused -> assertThat(refused.getMessage().lines())
                        .hasSize(2)
                        .allMatch(line -> line.endsWith(" (a property of Jakarta REST)")));
    }

    private static ResourceConfig application() {
        return new ResourceConfig(WithoutServletsTest.Guarded.class).register(RateLimitFeature.class);
    }

    private static int status(ApplicationHandler jersey) throws Exception {
        return jersey.apply(new ContainerRequest(
                        BASE,
                        BASE.resolve("guarded"),
                        "GET",
                        null,
                        new MapPropertiesDelegate(),
                        jersey.getConfiguration()))
                .get()
                .getStatus();
    }
}
