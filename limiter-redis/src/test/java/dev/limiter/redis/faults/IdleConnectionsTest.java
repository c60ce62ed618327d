package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.InstalledProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisSentinels;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Connections that Redis or a proxy closes because they are not used. The first call after the
 * pause is decided by Redis, whatever it asks.
 */
@Tag("faults")
class IdleConnectionsTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);

    private static final int CALLERS = 8;
    private static final int KEYS = 30;

    private static final List<Consumer<RateLimiter>> CALLS = List.of(
            limiter -> limiter.acquire(COUNTER, Limiters.key(0)),
            limiter -> limiter.peek(COUNTER, Limiters.key(0)),
            limiter -> limiter.charge(COUNTER, Limiters.key(0), 5),
            limiter -> limiter.reset(COUNTER, Limiters.key(0)));

    private final LogAssertions told = new LogAssertions();

    private void judge(String what, String uri, List<RedisServer> servers, String... settings) {
        String[] all = Stream.of(Limiters.PATIENT, settings).flatMap(Stream::of).toArray(String[]::new);
        List<RateLimiter> limiters = Stream.generate(() -> Limiters.closed(uri, told, all))
                .limit(CALLS.size())
                .toList();
        try {
            limiters.forEach(IdleConnectionsTest::askTogether);
            long opened = IdleConnections.open(servers);
            assertThat(opened).isPositive();
            IdleConnections.awaitTheirEnd(servers);
            Tally after = new Tally();
            for (int i = 0; i < CALLS.size(); i++) {
                RateLimiter limiter = limiters.get(i);
                Consumer<RateLimiter> first = CALLS.get(i);
                after.ask(() -> {
                    first.accept(limiter);
                    return limiter.acquire(COUNTER, Limiters.key(0));
                });
                for (int key = 1; key < KEYS; key++) {
                    PartitionKey next = Limiters.key(key);
                    after.ask(() -> limiter.acquire(COUNTER, next));
                }
            }
            Moments.say("idle connections, %s: %d were closed, %d calls failed", what, opened, after.failed());
            assertThat(after.failures()).isEmpty();
            assertThat(told.errors()).isEmpty();
        } finally {
            limiters.forEach(RateLimiter::close);
        }
    }

    /** So that more than one connection is open. */
    private static void askTogether(RateLimiter limiter) {
        Tally before = new Tally();
        try (Crowd crowd = Crowd.of(
                CALLERS, (thread, number) -> before.ask(() -> limiter.acquire(COUNTER, Limiters.key(number % KEYS))))) {
            Moments.until("they were admitted", () -> before.admitted() > CALLERS * KEYS);
            crowd.stop();
        }
    }

    @Test
    void ofOneServer() {
        try (RedisServer redis = RedisServer.start()) {
            IdleConnections.endAt(redis);
            judge("one server", redis.uri(), List.of(redis));
        }
    }

    @Test
    void ofACluster() {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            cluster.nodes().forEach(IdleConnections::endAt);
            judge("cluster", cluster.uri(), cluster.nodes());
        }
    }

    @Test
    void ofAMasterThatSentinelsName() {
        try (RedisSentinels sentinels = RedisSentinels.start(1)) {
            IdleConnections.endAt(sentinels.master());
            judge("sentinels", sentinels.uri(), List.of(sentinels.master()));
        }
    }

    @Test
    void ofAProxy() {
        assumeTrue(InstalledProxy.isInstalled("haproxy"), "haproxy is not installed (Debian: haproxy)");
        try (RedisServer redis = RedisServer.start();
                InstalledProxy proxy = InstalledProxy.haproxy(IdleConnections.LONGEST, redis)) {
            judge("HAProxy", proxy.uri(), List.of(redis));
        }
    }

    /** The proxy ends the connection below TLS, without a word of TLS. */
    @Test
    void ofAProxyBeforeTls() {
        assumeTrue(InstalledProxy.isInstalled("haproxy"), "haproxy is not installed (Debian: haproxy)");
        try (RedisServer redis = RedisServer.startWithTls();
                InstalledProxy proxy = InstalledProxy.haproxy(IdleConnections.LONGEST, redis)) {
            judge(
                    "HAProxy before TLS",
                    proxy.uri().replace("redis:", "rediss:"),
                    List.of(redis),
                    "limiter.redis.trust-store",
                    redis.trustStore().toString(),
                    "limiter.redis.trust-store-password",
                    redis.trustStorePassword());
        }
    }
}
