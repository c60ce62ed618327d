package dev.limiter.servers;

import static dev.limiter.servers.Http.meanwhile;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The charge table: whatever its end, a request is charged once, finished once, and leaves no
 * lease.
 */
interface Charges extends Topic {
    Policy UNITS = Policy.of("units", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    Policy FAILURES = Policy.of("failures", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    Policy FLIGHT = Policy.concurrency("flight", 100);

    @ParameterizedTest(name = "{0} {1}: {2}, {3} units, {4} of failures")
    @CsvSource({
        "GET,     ends/plain,         200, 1, 0",
        "GET,     ends/nothing,       204, 1, 0",
        "HEAD,    ends/plain,         200, 1, 0",
        "OPTIONS, ends/plain,         200, 0, 0",
        "GET,     ends/mapped,        418, 1, 0",
        "GET,     ends/unmapped,      500, 1, 1",
        "GET,     ends/missing,       404, 1, 0",
        "GET,     ends/server-error,  503, 1, 1",
        "GET,     ends/timed-out,     503, 1, 1",
        "GET,     ends/failing-stage, 500, 1, 1",
        "GET,     ends/forward,       200, 1, 0",
        "GET,     ends/error,         410, 1, 0",
        "GET,     ends/sub,           200, 1, 0",
        "GET,     contract/7,         200, 1, 0",
        "GET,     proxied,            200, 1, 0",
        "GET,     child,              200, 1, 0",
        "GET,     servlet,            200, 1, 0",
        "GET,     servlet/failing,    503, 1, 1",
        "GET,     servlet/unmapped,   500, 1, 1",
        "OPTIONS, servlet,            200, 0, 0",
    })
    default void anEndIsChargedOnce(String method, String path, int status, long units, long failures) {
        Response response = to(server()).request(method, path);
        assertThat(response.statusCode()).isEqualTo(status);
        assertCharged(units, failures);
    }

    @ParameterizedTest
    @CsvSource({
        "ends/resumed,  resumed",
        "ends/stage,    stage",
        "ends/stream,   first last",
        "servlet/later, later",
    })
    default void whatGoesOnHoldsItsLeaseUntilItsEnd(String path, String body) {
        assertThat(heldAndLetGo(path).asString()).isEqualTo(body);
        assertCharged(1, 0);
    }

    @Test
    default void anEventStreamHoldsItsLeaseUntilItIsClosed() {
        assertThat(heldAndLetGo("ends/events").asString()).contains("data: first", "data: last");
        assertCharged(1, 0);
    }

    @Test
    default void aClientThatGoesAwayIsChargedAndLeavesNoLease() throws IOException {
        try (Socket client = new Socket(server().getHost(), server().getPort())) {
            String request = "GET " + server().getPath() + "ends/endless HTTP/1.1\r\nHost: localhost\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(client.getInputStream().readNBytes(100_000)).hasSize(100_000);
            assertThat(charged().leases(FLIGHT)).isEqualTo(1);
        }
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(1);
        assertThat(charged().units(FAILURES))
                .as("who goes away before the response is known to count")
                .isEqualTo(1);
    }

    @Test
    default void theErrorPageOfARequestIsNotAskedAgain() {
        assertThat(to(server()).get("ends/error").asString()).isEqualTo("the page of an error");
        assertCharged(1, 0);
    }

    /** A client that asks again at once must not meet its own lease, nor its own unit. */
    @Test
    default void whatComesBackIsBackBeforeTheClientCanAskAgain() {
        for (int i = 0; i < 50; i++) {
            to(server()).get("ends/plain");
            assertThat(charged().leases(FLIGHT)).as("after request " + i).isZero();
            assertThat(charged().units(FAILURES)).as("after request " + i).isZero();
        }
    }

    private Response heldAndLetGo(String path) {
        CompletableFuture<Response> running = meanwhile(() -> to(server()).get(path));
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 1);
        assertThat(charged().units(UNITS)).isEqualTo(1);
        assertThat(to(server()).put("gate").statusCode()).isEqualTo(204);
        return running.join();
    }

    private void assertCharged(long units, long failures) {
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(units);
        await().until(() -> charged().units(FAILURES), spent -> spent == failures);
    }
}
