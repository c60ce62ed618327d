package dev.limiter.redis.faults;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import dev.limiter.testkit.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * A Redis that answers without a decision: each policy follows its {@code onStoreFailure}, and
 * the signals have the reason.
 */
class RefusalsTest {
    /**
     * More than go on the round trips that fit into the time that a deadline of 3 s leaves for
     * waiting, 1.4 s.
     */
    private static final int CROWD = 400;

    private static final Duration LATE = Duration.ofMillis(400);
    private static final Policy MANY = Policy.of("many", GCRA, 1_000_000, Duration.ofSeconds(1));
    /** Far below the time-out of Jedis' own, 2 s, and far above the deadline on a busy machine. */
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private static final Map<OnStoreFailure, String> WAYS = Map.of(
            LOCAL, "admitted by the fallback",
            OPEN, "admitted by the fallback",
            CLOSED, "unavailable");

    @Test
    void aWrongPassword() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start("--requirepass", "right");
                RateLimiter limiter = Limiters.local("redis://:wrong@127.0.0.1:" + redis.port(), signals)) {
            everyPolicyHasItsWay(limiter);
            assertThat(signals.reasons()).singleElement().asString().startsWith("WRONGPASS");
            redis.command("CONFIG", "SET", "requirepass", "wrong");
            itHeals(limiter);
            assertThat(signals.reasons()).hasSize(2).endsWith("closed");
        }
    }

    @Test
    void aPermissionThatIsWithdrawn() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "limiter", "on", ">pw", "~rl:*", "+@all");
            try (RateLimiter limiter = Limiters.local("redis://limiter:pw@127.0.0.1:" + redis.port(), signals)) {
                assertThat(Limiters.outcome(limiter, MANY, Limiters.key("alice")))
                        .isEqualTo("admitted by the store");
                redis.command("ACL", "SETUSER", "limiter", "-set");
                everyPolicyHasItsWay(limiter);
                assertThat(signals.errors(StoreError.NOT_PERMITTED)).isPositive();
                Awaitility.await().until(() -> !signals.reasons().isEmpty() || asksOnceMore(limiter));
                assertThat(signals.reasons()).first().asString().containsPattern(LogAssertions.NO_PERMISSION);
                redis.command("ACL", "SETUSER", "limiter", "+set");
                itHeals(limiter);
            }
        }
    }

    private static boolean asksOnceMore(RateLimiter limiter) {
        Limiters.outcome(limiter, MANY, Limiters.key("again"));
        return false;
    }

    @Test
    void aForeignScriptThatDoesNotEnd() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start("--lua-time-limit", "10");
                RateLimiter limiter = Limiters.local(redis.uri(), signals);
                RespConnection other = redis.connect()) {
            other.send("EVAL", "while true do end", "0");
            Awaitility.await().until(() -> {
                Limiters.outcome(limiter, MANY, Limiters.key("busy"));
                return signals.errors(StoreError.BUSY) > 0;
            });
            everyPolicyHasItsWay(limiter);
            redis.command("SCRIPT", "KILL");
            itHeals(limiter);
        }
    }

    @Test
    void clientsThatAreToWait() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), signals)) {
            assertThat(Limiters.outcome(limiter, MANY, Limiters.key("alice"))).isEqualTo("admitted by the store");
            redis.command("CLIENT", "PAUSE", "60000", "ALL");
            everyPolicyHasItsWay(limiter);
            everyPolicyHasItsWay(limiter);
            assertThat(signals.errors(StoreError.TIMED_OUT)).isEqualTo(5);
            assertThat(signals.ambiguous()).isEqualTo(5);
            assertThat(signals.reasons())
                    .singleElement()
                    .asString()
                    .containsAnyOf("Read timed out", "the call was not over within 150 ms");
        }
    }

    /** The breaker opens, so callers do not go on opening connections that Redis closes. */
    @Test
    void aServerThatTakesNoMoreClientsIsGivenUp() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), signals);
                RespConnection other = redis.connect()) {
            itHeals(limiter);
            other.call("CONFIG", "SET", "maxclients", "1");
            other.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            for (int i = 0; i < 1_000; i++) {
                assertThat(Limiters.outcome(limiter, MANY.whenStoreFails(CLOSED), Limiters.key(i)))
                        .isEqualTo("unavailable");
            }
            assertThat(signals.open()).hasSize(1);
            Matcher refused = Pattern.compile("rejected_connections:(\\d+)").matcher((String) other.call("INFO"));
            assertThat(refused.find()).isTrue();
            assertThat(Integer.parseInt(refused.group(1)))
                    .as("five calls, and the probes of the time that this takes")
                    .isBetween(1, 50);
            other.call("CONFIG", "SET", "maxclients", "100");
            itHeals(limiter);
        }
    }

    /**
     * One connection whose answers come late, and more callers than its round trips have room
     * for: no breaker opens.
     */
    @Test
    void noConnectionLeft() throws Exception {
        LogAssertions signals = new LogAssertions();
        ExecutorService threads = Executors.newFixedThreadPool(CROWD);
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis);
                RateLimiter limiter = Limiters.local(
                        proxy.uri(), signals, "limiter.redis.max-round-trips", "1", "limiter.redis.deadline", "3s")) {
            itHeals(limiter);
            List<String> before = signals.reasons();
            int ambiguousBefore = signals.ambiguous();
            proxy.latency(Duration.ZERO, LATE);
            AtomicBoolean crowded = new AtomicBoolean();
            List<Future<?>> asked = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                int number = i;
                asked.add(threads.submit(() -> {
                    while (!crowded.get()) {
                        assertThat(Limiters.outcome(limiter, MANY.whenStoreFails(OPEN), Limiters.key(number)))
                                .startsWith("admitted");
                    }
                }));
            }
            Awaitility.await().until(() -> signals.errors(StoreError.POOL_EXHAUSTED) > 0);
            crowded.set(true);
            for (Future<?> each : asked) {
                each.get();
            }
            assertThat(signals.ambiguous()).isEqualTo(ambiguousBefore);
            assertThat(signals.reasons()).isEqualTo(before);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void everyPolicyHasItsWay(RateLimiter limiter) {
        WAYS.forEach((way, outcome) -> {
            try (Stall machine = Stall.begin()) {
                long asked = System.nanoTime();
                assertThat(Limiters.outcome(limiter, MANY.whenStoreFails(way), Limiters.key(way)))
                        .isEqualTo(outcome);
                long took = System.nanoTime() - asked;
                assertThat(took).isLessThanOrEqualTo(DEADLINE.toNanos() + machine.longestNanos());
            }
        });
    }

    private static void itHeals(RateLimiter limiter) {
        Awaitility.await()
                .until(
                        () -> Limiters.outcome(limiter, MANY.whenStoreFails(CLOSED), Limiters.key("healed")),
                        "admitted by the store"::equals);
    }
}
