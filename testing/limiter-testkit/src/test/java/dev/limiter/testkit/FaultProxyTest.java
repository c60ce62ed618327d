package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

    private static RedisServer redis;
    private FaultProxy proxy;
    private RespConnection client;

    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void closeRedis() {
        redis.close();
    }

    @BeforeEach
    void openProxy() {
        redis.command("FLUSHALL");
        proxy = FaultProxy.to(redis);
        client = connect();
        assertThat(client.call("PING")).isEqualTo("PONG");
    }

    @AfterEach
    void close() {
        client.close();
        proxy.close();
    }

    @Test
    void countsWhatItPassesOn() {
        List<byte[]> requests = new CopyOnWriteArrayList<>();
        proxy.onRequest(requests::add);
        String padding = "x".repeat(300_000);
        assertThat(client.call("SET", "k", padding + "needle" + padding)).isEqualTo("OK");
        assertThat(client.call("GET", "k")).isEqualTo(padding + "needle" + padding);

        assertThat(proxy.timesSent("needle")).isEqualTo(1);
        assertThat(proxy.timesSent("PING")).isEqualTo(1);
        assertThat(proxy.bytesToServer()).isBetween(600_000L, 600_200L);
        assertThat(proxy.bytesToClients()).isBetween(600_000L, 600_200L);
        assertThat(requests.stream().mapToInt(bytes -> bytes.length).sum())
                .isEqualTo((int) proxy.bytesToServer() - "*1\r\n$4\r\nPING\r\n".length());

        proxy.forgetRequests();
        assertThat(proxy.timesSent("needle")).isZero();
    }

    @Test
    void tellsTheEndOfAConnection() {
        assertThat(proxy.openNow()).isEqualTo(1);
        client.close();
        await().untilAsserted(() -> assertThat(proxy.openNow()).isZero());
        assertThat(proxy.opened()).isEqualTo(1);

        try (RespConnection other = connect()) {
            other.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no");
            assertThatThrownBy(() -> other.call("PING")).isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void blackHoleSwallowsForGood() {
        proxy.blackHole();
        assertSilent(client, "INCR", "n");
        try (RespConnection other = connect()) {
            assertSilent(other, "INCR", "n");
            proxy.pass();
            assertSilent(other, "INCR", "n");
        }
        assertSilent(client, "INCR", "n");
        try (RespConnection other = connect()) {
            assertThat(other.call("INCR", "n")).isEqualTo("1");
        }
        assertThat(proxy.timesSent("INCR")).isEqualTo(1);
    }

    @Test
    void connectionThatLostNothingOutlivesTheBlackHole() {
        proxy.blackHole();
        proxy.pass();
        assertThat(client.call("PING")).isEqualTo("PONG");
    }

    @Test
    void blackHoleForThoseThatHaveSentSomething() {
        try (RespConnection early = connect();
                RespConnection late = connect()) {
            early.call("ECHO", "marked");
            proxy.blackHole("marked");
            assertSilent(early, "INCR", "n");
            assertThat(late.call("INCR", "n")).isEqualTo("1");
            assertSilent(late, "ECHO", "marked");
            assertThat(client.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void latencyHoldsBackEachDirection() {
        proxy.latency(Duration.ofMillis(60), Duration.ZERO);
        assertThat(roundTrip()).isGreaterThanOrEqualTo(Duration.ofMillis(60));
        proxy.latency(Duration.ofMillis(60), Duration.ofMillis(70));
        assertThat(roundTrip()).isGreaterThanOrEqualTo(Duration.ofMillis(130));
        proxy.pass();
        await("a quick one, on a machine that may be busy")
                .until(() -> roundTrip().toMillis() < 60);
    }

    /** A tenth of a second for these 10,000 bytes, and for none of another connection. */
    @Test
    void aSlowLinkHoldsBackManyBytesAndNoOtherConnection() {
        proxy.requestRate(100_000);
        long start = System.nanoTime();
        client.send("SET", "n", "x".repeat(10_000));
        client.send("APPEND", "n", "x");
        assertThat(client.receive()).isEqualTo("OK");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(99));
        assertThat(client.receive()).isEqualTo("10001");
        proxy.requestRate(10_000);
        client.send("SET", "n", "x".repeat(100_000));
        try (RespConnection other = connect()) {
            assertThat(other.call("GET", "n").toString()).hasSize(10_001);
        }
    }

    @Test
    void aLinkThatPassesNothingOnIsNone() {
        assertThatThrownBy(() -> proxy.requestRate(0)).hasMessageContaining("at least 1, was 0");
    }

    @Test
    void connectionsWaitSideBySide() {
        List<RespConnection> clients = Stream.generate(this::connect).limit(20).toList();
        proxy.latency(Duration.ofMillis(50), Duration.ofMillis(50));
        await("less than 20 times 100 ms, on a machine that may be busy").until(() -> {
            long start = System.nanoTime();
            clients.forEach(each -> each.send("PING"));
            clients.forEach(each -> assertThat(each.receive()).isEqualTo("PONG"));
            return Duration.ofNanos(System.nanoTime() - start).toMillis() < 1_000;
        });
        clients.forEach(RespConnection::close);
    }

    @Test
    void requestOnItsWayIsExecutedAlthoughTheClientHasHungUp() {
        proxy.latency(Duration.ofSeconds(1), Duration.ZERO);
        client.send("INCR", "n");
        client.close();
        assertThat(redis.command("GET", "n")).isNull();
        await().untilAsserted(() -> assertThat(redis.command("GET", "n")).isEqualTo("1"));
        await().untilAsserted(() -> assertThat(proxy.openNow()).isZero());
    }

    @Test
    void droppedReplyEndsTheConnectionAfterTheRequestWasExecuted() {
        proxy.dropReplies();
        assertThatThrownBy(() -> client.call("INCR", "n")).hasMessageContaining("ended");
        assertThat(redis.command("GET", "n")).isEqualTo("1");
        assertThat(proxy.timesSent("INCR")).isEqualTo(1);
        assertThat(proxy.openNow()).isZero();
    }

    @Test
    void repliesCanBeDroppedFromAGivenRequestOn() {
        proxy.dropReplies("INCR");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThatThrownBy(() -> client.call("INCR", "n")).isInstanceOf(UncheckedIOException.class);
        assertThat(redis.command("GET", "n")).isEqualTo("1");
    }

    @Test
    void silencedReplyKeepsTheConnection() {
        proxy.silenceReplies("INCR");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertSilent(client, "INCR", "n");
        assertSilent(client, "INCR", "n");
        assertThat(redis.command("GET", "n")).isEqualTo("2");
        assertThat(proxy.openNow()).isEqualTo(1);
    }

    @Test
    void newConnectionsAreResetAndOpenOnesGoOn() {
        proxy.resetNew();
        assertThatThrownBy(() -> {
                    try (RespConnection other = connect()) {
                        other.call("PING");
                    }
                })
                .isInstanceOf(UncheckedIOException.class);
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThat(proxy.opened()).isEqualTo(2);
    }

    @Test
    void openConnectionsAreResetAndNewOnesPass() {
        proxy.resetExisting();
        assertThat(proxy.openNow()).isZero();
        assertThatThrownBy(client::receive).hasMessageContaining("reset");
        try (RespConnection other = connect()) {
            assertThat(other.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void refusesAndListensAgainOnTheSamePort() {
        proxy.refuse();
        assertThatThrownBy(this::connect).hasCauseInstanceOf(ConnectException.class);
        assertThat(client.call("PING")).isEqualTo("PONG");
        proxy.listen();
        try (RespConnection other = connect()) {
            assertThat(other.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void serverThatIsDownResetsTheClient() {
        try (RedisServer other = RedisServer.start();
                FaultProxy inFront = FaultProxy.to(other)) {
            other.kill();
            // Accepted and then reset: whether the client can send before it learns that, depends.
            assertThatThrownBy(() -> ping(inFront)).isInstanceOf(UncheckedIOException.class);
            other.restart();
            assertThat(ping(inFront)).isEqualTo("PONG");
        }
    }

    private static Object ping(FaultProxy proxy) {
        try (RespConnection open = RespConnection.open(proxy.port(), Duration.ofSeconds(2))) {
            return open.call("PING");
        }
    }

    @Test
    void leadsNewConnectionsElsewhereAndLeavesOpenOnes() {
        try (RedisServer other = RedisServer.start()) {
            proxy.target(other);
            try (RespConnection late = connect()) {
                late.call("SET", "where", "other");
                client.call("SET", "where", "first");
                assertThat(late.call("GET", "where")).isEqualTo("other");
                assertThat(redis.command("GET", "where")).isEqualTo("first");
            }
        }
    }

    @Test
    void countsEveryTextThatMatches() {
        try (RespConnection other = connect()) {
            client.call("MGET", "id-1", "id-22", "id-1");
            other.call("GET", "id-22");
        }
        assertThat(proxy.timesSent(Pattern.compile("id-\\d+"))).isEqualTo(Map.of("id-1", 2, "id-22", 2));
        assertThat(proxy.timesSent(Pattern.compile("none"))).isEmpty();
    }

    @Test
    void closedProxyStillTellsWhatItCounted() {
        proxy.close();
        proxy.close();
        assertThat(proxy.timesSent("PING")).isEqualTo(1);
        assertThat(proxy.openNow()).isZero();
    }

    private RespConnection connect() {
        return RespConnection.open(proxy.port(), Duration.ofMinutes(1));
    }

    private Duration roundTrip() {
        long start = System.nanoTime();
        client.call("PING");
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Answers nothing for as long as the client waits. */
    private static void assertSilent(RespConnection connection, String... words) {
        connection.patience(Duration.ofMillis(500));
        assertThatThrownBy(() -> connection.call(words)).hasCauseInstanceOf(SocketTimeoutException.class);
    }
}
