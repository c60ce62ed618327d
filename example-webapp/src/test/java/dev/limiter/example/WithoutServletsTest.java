package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.PeerAddress;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.local.LocalRateLimiter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/**
 * Jersey as its in-memory tests run it: no servlet container and no CDI, but the API of both on
 * the class path.
 */
class WithoutServletsTest {
    private static final URI BASE = URI.create("http://localhost/");

    /** Limited by the address. */
    @Path("guarded")
    public static class Guarded {
        @GET
        @RateLimited(name = "guarded", key = "{ip}", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
        public String get() {
            return "through";
        }
    }

    @Test
    void theApplicationNamesItsClients() {
        ClientAddress address = request -> request.header("X-Client");
        ApplicationHandler jersey =
                new ApplicationHandler(application().property(ClientAddress.class.getName(), address));
        assertThat(status(jersey, "a")).isEqualTo(200);
        assertThat(status(jersey, "a")).isEqualTo(429);
        assertThat(status(jersey, "b")).isEqualTo(200);
    }

    @Test
    void theApplicationNamesPeersOfWhichSomeAreProxies() {
        System.setProperty("limiter.trusted-proxies", "10.0.0.0/8");
        try {
            PeerAddress peer = request -> request.header("X-Client");
            ApplicationHandler jersey =
                    new ApplicationHandler(application().property(PeerAddress.class.getName(), peer));
            assertThat(status(jersey, "192.0.2.1", "203.0.113.1")).isEqualTo(200);
            assertThat(status(jersey, "192.0.2.1", "203.0.113.2"))
                    .as("no proxy")
                    .isEqualTo(429);
            assertThat(status(jersey, "10.0.0.1", "203.0.113.1")).isEqualTo(200);
            assertThat(status(jersey, "10.0.0.2", "203.0.113.1")).isEqualTo(429);
        } finally {
            System.clearProperty("limiter.trusted-proxies");
        }
    }

    @Test
    void theApplicationNamesALimiterWithTheClockOfTheTest() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        ClientAddress address = request -> request.header("X-Client");
        ApplicationHandler jersey = new ApplicationHandler(application()
                .property(ClientAddress.class.getName(), address)
                .property(RateLimiter.class.getName(), new LocalRateLimiter(now::get)));
        assertThat(status(jersey, "a")).isEqualTo(200);
        now.set(Instant.parse("2026-01-01T00:59:59Z"));
        assertThat(status(jersey, "a")).isEqualTo(429);
        now.set(Instant.parse("2026-01-01T01:00:00Z"));
        assertThat(status(jersey, "a")).isEqualTo(200);
    }

    @Test
    void everyEndpointHasALimitOrIsExempt() {
        ApplicationHandler jersey = new ApplicationHandler(
                application().property(ClientAddress.class.getName(), (ClientAddress) request -> "a"));
        DeployedLimits limits = (DeployedLimits) jersey.getConfiguration().getProperty(DeployedLimits.class.getName());
        assertThat(limits.withoutLimits()).isEmpty();
    }

    @Test
    void withoutItTheStartSaysWhatIsMissing() {
        assertThatThrownBy(() -> new ApplicationHandler(application()))
                .hasMessageContaining("Without a servlet container the client's address")
                .hasMessageContaining("property(PeerAddress.class.getName(), address)");
    }

    private static ResourceConfig application() {
        return new ResourceConfig(Guarded.class).register(RateLimitFeature.class);
    }

    private static int status(ApplicationHandler jersey, String client) {
        return status(jersey, client, null);
    }

    private static int status(ApplicationHandler jersey, String peer, String forwardedFor) {
        ContainerRequest request = new ContainerRequest(
                BASE, BASE.resolve("guarded"), "GET", null, new MapPropertiesDelegate(), jersey.getConfiguration());
        request.header("X-Client", peer);
        request.header("X-Forwarded-For", forwardedFor);
        try {
            return jersey.apply(request).get().getStatus();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
