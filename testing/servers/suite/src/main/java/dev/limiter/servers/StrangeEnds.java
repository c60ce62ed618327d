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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The charge table for rare ends: exceptions behind the method, and servlets that dispatch to
 * others.
 */
interface StrangeEnds extends Topic {
    Policy UNITS = Policy.of("units", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    Policy FAILURES = Policy.of("failures", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    Policy FLIGHT = Policy.concurrency("flight", 100);

    int LEAVING = 10;

    @BeforeEach
    default void closeGate() {
        to(server()).delete("gate");
    }

    @ParameterizedTest(name = "{0}: {1}, {2} units, {3} of failures")
    @CsvSource({
        "strange/resumed-with-exception, 500, 1, 1",
        "strange/resumed-with-mapped,    418, 1, 0",
        "strange/cancelled,              503, 1, 1",
        "strange/error,                  500, 1, 1",
        "strange/stream-fails,           500, 1, 1",
        "strange/unwritable,             500, 1, 1",
        "strange/unwritable-mapped,      418, 1, 0",
        "strange/unwritable-io,          500, 1, 1",
        "strange/filter-fails,           500, 1, 1",
        "strange/filter-mapped,          418, 1, 0",
        "dispatching/resource,           200, 1, 0",
        "dispatching/servlet,            200, 1, 0",
        "dispatching/forward,            200, 1, 0",
    })
    default void aStrangeEndIsChargedOnce(String path, int status, long units, long failures) {
        Response response = to(server()).get(path);
        assertThat(response.statusCode()).isEqualTo(status);
        assertCharged(units, failures);
    }

    @Test
    default void anErrorPageIsNotLimitedThoughItsErrorWasNot() {
        Response page = to(server()).get("dispatching/gone");
        assertThat(page.asString()).isEqualTo("the page");
        assertThat(page.header("RateLimit")).isNull();
        assertCharged(0, 0);
    }

    @Test
    default void asynchronousAgainAndAgainIsChargedOnce() {
        CompletableFuture<Response> running = meanwhile(() -> to(server()).get("dispatching/again"));
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 1);
        assertThat(to(server()).put("gate").statusCode()).isEqualTo(204);
        assertThat(running.join().asString()).isEqualTo("later");
        assertCharged(1, 0);
    }

    @Test
    default void aStreamThatBreaksLeavesNoLease() throws IOException {
        try (Socket client = asking("strange/stream-breaks")) {
            client.getInputStream().readAllBytes();
        }
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(1);
    }

    @Test
    default void aClientThatLeavesAnEventStreamLeavesNoLease() throws IOException {
        try (Socket client = asking("strange/endless-events")) {
            assertThat(client.getInputStream().readNBytes(100_000)).hasSize(100_000);
            assertThat(charged().leases(FLIGHT)).isEqualTo(1);
        }
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(1);
    }

    /** The server may tell no listener, since it cannot write the response any more. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "strange/late/unmapped",
                "strange/late-stage",
                "strange/late/mapped",
                "strange/late/long",
                "strange/late/short",
                "servlet/late-write",
                "servlet/later",
            })
    default void whatEndsAfterItsClientHasLeftLeavesNoLease(String path) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < LEAVING; i++) {
            clients.add(asking(path));
        }
        await().until(() -> charged().leases(FLIGHT), leases -> leases == LEAVING);
        for (Socket client : clients) {
            client.setSoLinger(true, 0); // the connection is reset
            client.close();
        }
        await().ignoreExceptions().until(() -> {
            Raw.exchange(server(), "PUT", "gate", ""); // Tomcat may close this connection with those that were reset
            return charged().leases(FLIGHT) == 0;
        });
        assertThat(charged().units(UNITS)).isEqualTo(LEAVING);
    }

    /** Tomcat closes the connection without a response, and does not call onComplete. */
    @Test
    default void aServletThatThrowsAfterItBecameAsynchronousLeavesNoLease() {
        Raw.exchange(server(), "GET", "servlet/throws-async", "");
        assertCharged(1, 1);
    }

    @Test
    default void aRequestThatAListenerDispatchesAtItsTimeOutHoldsItsLeaseUntilItEnds() throws IOException {
        assertLeaseUntilTheEnd("servlet/times-out");
    }

    /** Undertow ends the response beside the thread that runs the dispatch, and loses its body. */
    @Test
    default void aRequestThatAListenerRecoversHoldsItsLeaseUntilItEnds() throws IOException {
        if (!"false".equals(System.getProperty("server.recovers"))) {
            assertLeaseUntilTheEnd("servlet/recovers");
            return;
        }
        try (Socket client = asking("servlet/recovers")) {
            assertThat(client.getInputStream().readAllBytes()).asString().doesNotContain("held");
        }
        assertThat(to(server()).put("gate").statusCode()).isEqualTo(204);
        assertCharged(1, 0);
    }

    private void assertLeaseUntilTheEnd(String path) throws IOException {
        try (Socket client = asking(path)) {
            assertThat(client.getInputStream().read())
                    .as("the recovered response has begun")
                    .isEqualTo('H');
            assertThat(charged().leases(FLIGHT)).isEqualTo(1);
            assertThat(to(server()).put("gate").statusCode()).isEqualTo(204);
            assertThat(client.getInputStream().readAllBytes()).asString().contains("held");
        }
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(1);
    }

    /** Servlets keep contexts in collections, and remove them when they hear of their end. */
    @Test
    default void aListenerHearsOfTheContextThatTheServletHas() {
        assertThat(to(server()).get("servlet/known").asString()).isEqualTo("the same");
        assertCharged(1, 0);
    }

    private Socket asking(String path) throws IOException {
        Socket client = new Socket(server().getHost(), server().getPort());
        String request =
                "GET " + server().getPath() + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private void assertCharged(long units, long failures) {
        await().until(() -> charged().leases(FLIGHT), leases -> leases == 0);
        assertThat(charged().units(UNITS)).isEqualTo(units);
        await().until(() -> charged().units(FAILURES), spent -> spent == failures);
    }
}
