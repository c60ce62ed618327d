package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A healthy Redis whose replies take long: it is far away, or it pauses. */
class DistantRedisTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);

    /** Half of the round trip. */
    private static final Duration WAY = Duration.ofMillis(300);

    private static final int PAUSES = 20;
    private static final int TRIES = 10;

    /**
     * Four tenths of the deadline, and a round trip more for the script's text. That leaves 100 ms
     * of each decision to the machine; on one that is busy, a later try shows it.
     */
    @Test
    void aReplyMayTakeTheRestOfTheDeadline() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy proxy = FaultProxy.to(redis)) {
            proxy.latency(WAY, WAY);
            assertThat(IntStream.range(0, TRIES)).anyMatch(each -> {
                redis.command("SCRIPT", "FLUSH");
                return decidesInTime(proxy.uri());
            });
        }
    }

    private static boolean decidesInTime(String uri) {
        LogAssertions signals = new LogAssertions();
        try (RateLimiter limiter = Limiters.closed(uri, signals, "limiter.redis.deadline", "1500ms")) {
            boolean admitted = IntStream.range(0, 2)
                    .mapToObj(i -> Limiters.outcome(limiter, COUNTER, Limiters.key(i)))
                    .allMatch("admitted by the store"::equals);
            return admitted && signals.reasons().isEmpty();
        }
    }

    /** The deadline that the guide gives for TLS: eight round trips. */
    @Test
    @Tag("faults")
    void aConnectionWithTlsAndPasswordOpensWithinEightRoundTrips() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.startWithTls("--requirepass", "secret");
                FaultProxy proxy = FaultProxy.to(redis)) {
            proxy.latency(WAY, WAY);
            try (RateLimiter limiter = Limiters.closed(
                    "rediss://:secret@127.0.0.1:" + proxy.port() + "/1",
                    signals,
                    "limiter.redis.deadline",
                    WAY.multipliedBy(2 * 8).toMillis() + "ms",
                    "limiter.redis.trust-store",
                    redis.trustStore().toString(),
                    "limiter.redis.trust-store-password",
                    redis.trustStorePassword())) {
                assertThat(Limiters.outcome(limiter, COUNTER, Limiters.key("all")))
                        .isEqualTo("admitted by the store");
                assertThat(signals.reasons()).isEmpty();
            }
        }
    }

    /** As a Redis pauses that forks for a snapshot. */
    @Test
    @Tag("faults")
    void shortPausesOpenNoBreaker() {
        LogAssertions signals = new LogAssertions();
        Tally tally = new Tally();
        try (RedisServer redis = RedisServer.start("--enable-debug-command", "yes");
                RateLimiter limiter = Limiters.closed(redis.uri(), signals);
                RespConnection other = redis.connect();
                Crowd crowd = Crowd.of(
                        8, (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, Limiters.key(thread))))) {
            Moments.until("everybody is admitted", () -> tally.admitted() > 1_000);
            for (int i = 0; i < PAUSES; i++) {
                other.call("DEBUG", "SLEEP", "0.1");
                Moments.millis(100);
            }
            crowd.stop();
            Moments.say(
                    "%d pauses of 100 ms: %,d admitted, %d failed %s",
                    PAUSES, tally.admitted(), tally.failed(), signals.errors());
            assertThat(signals.reasons()).isEmpty();
        }
    }
}
