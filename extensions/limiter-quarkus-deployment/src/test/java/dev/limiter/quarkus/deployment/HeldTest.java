package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits on how many requests run at once. */
class HeldTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Held.class))
            .overrideConfigKey("limiter.redis.deadline", "10s")
            .overrideConfigKey("limiter.policy.held-code.key", "{attribute:none}")
            .overrideConfigKey("limiter.policy.held-code.algorithm", "CONCURRENCY")
            .overrideConfigKey("limiter.policy.held-code.limit", "1"));

    @TestHTTPResource
    URI root;

    @BeforeEach
    void nothingHasBegun() {
        Held.BEGUN.set(0);
        Held.end = new CompletableFuture<>();
    }

    @ParameterizedTest
    @ValueSource(strings = {"method", "code", "uni", "stage", "multi", "sink"})
    void secondIsRejectedWhileTheFirstRunsAndAdmittedAtOnceAfterwards(String kind) {
        Client client = new Client(root);
        CompletableFuture<HttpResponse<String>> first = client.begin("/held/" + kind);
        await().until(() -> Held.BEGUN.get() == 1);
        HttpResponse<String> second = client.get("/held/" + kind);
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(second.headers().allValues("RateLimit")).hasSize(1);
        Held.end.complete("done");
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertThat(first.join().body()).contains("done");
        if (kind.equals("sink")) { // its end comes after the last byte
            await().until(() -> client.get("/held/" + kind).statusCode() == 200);
        } else {
            assertThat(client.statuses(20, "/held/" + kind)).containsOnly(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"method", "code", "uni", "stage", "multi"})
    void leaseEndsBeforeTheLastByte(String kind) {
        CompletableFuture<HttpResponse<String>> first = new Client(root).begin("/held/" + kind);
        await().until(() -> Held.BEGUN.get() == 1);
        Redis.pause();
        try {
            Held.end.complete("done");
            await().during(Duration.ofMillis(300)).until(() -> !first.isDone());
        } finally {
            Redis.resume();
        }
        assertThat(first.join().body()).contains("done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"uni", "stage", "multi", "sink"})
    void clientThatLeavesGivesItsLeaseBack(String kind) throws IOException {
        leave(kind);
        Held.end = CompletableFuture.completedFuture("at once");
        await().until(() -> new Client(root).get("/held/" + kind).statusCode() == 200);
    }

    @Test
    void methodThatGoesOnWithoutItsClientHoldsItsLease() throws IOException {
        Client client = new Client(root);
        CompletableFuture<String> running = Held.end;
        leave("method");
        Held.end = CompletableFuture.completedFuture("at once");
        await().during(Duration.ofMillis(300))
                .until(() -> client.get("/held/method").statusCode() == 429);
        running.complete("done");
        await().until(() -> client.get("/held/method").statusCode() == 200);
    }

    @Test
    void failureWithoutMapperEndsItsLease() {
        assertThat(new Client(root).statuses(20, "/held/failing")).containsOnly(500);
    }

    private void leave(String kind) throws IOException {
        try (Socket socket = new Socket(root.getHost(), root.getPort())) {
            socket.getOutputStream()
                    .write(("GET /held/" + kind + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> Held.BEGUN.get() == 1);
        }
    }
}
