package dev.limiter.servers;

import static dev.limiter.servers.Http.meanwhile;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import java.net.URL;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests in flight, and settings that change meanwhile. */
@ExtendWith(ArquillianExtension.class)
class InFlightIT {
    private static final Policy HELD = Policy.concurrency("held", 3);

    private final Charged charged = new Charged("in-flight");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("in-flight", Map.of(), "HeldResource", "SettingsResource");
    }

    @Test
    void aRequestHasALeaseWhileItRuns() {
        CompletableFuture<Response> running = meanwhile(() -> to(server).get("held"));
        await().until(() -> charged.leases(HELD), leases -> leases == 1);
        assertThat(to(server).put("held/end").statusCode()).isEqualTo(204);
        assertThat(running.join().asString()).isEqualTo("let go");
        await().until(() -> charged.leases(HELD), leases -> leases == 0);
    }

    @Test
    void aSettingOfTheRunningServerCanBeChanged() {
        assertThat(setting()).isEqualTo("not set");
        to(server).body("17").put("settings/limiter.test");
        assertThat(setting()).isEqualTo("17");
        to(server).delete("settings/limiter.test");
        assertThat(setting()).isEqualTo("not set");
    }

    private String setting() {
        return to(server).get("settings/limiter.test").asString();
    }
}
