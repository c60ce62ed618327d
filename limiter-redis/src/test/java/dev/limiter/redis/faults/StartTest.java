package dev.limiter.redis.faults;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log lines of the start. */
class StartTest {
    private static final Policy TEN = Policy.of("ten", GCRA, 10, Duration.ofSeconds(1));

    /** The command of the guide, as it stands. */
    private static String[] minimum() {
        return Guide.block("redis", "ACL SETUSER limiter on")
                .text()
                .strip()
                .replace(">password", ">pw")
                .split("\\s+");
    }

    @Test
    void aRedisThatIsAsItShouldBeIsNotTalkedOf() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions())) {
            assertThat(log.lines()).isEmpty();
            assertThat(redis.command("KEYS", "*")).isEqualTo(List.of());
            assertThat(Limiters.outcome(limiter, TEN, Limiters.key("alice"))).isEqualTo("admitted by the store");
        }
    }

    @Test
    void oneThatEvictsIsWarnedOf() {
        try (RedisServer redis = RedisServer.start("--maxmemory-policy", "allkeys-lru", "--maxmemory", "100mb");
                LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(redis.uri(), new LogAssertions())) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("LIM14: Redis at 127.0.0.1:" + redis.port())
                    .contains("maxmemory-policy allkeys-lru");
        }
    }

    /** The name is unknown; on a machine without a name service it is not resolved in time. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://nowhere.invalid",
                "redis-cluster://nowhere.invalid:6379",
                "redis-sentinel://nowhere.invalid:6379#zoo"
            })
    void aHostThatDoesNotExistIsNamed(String uri) {
        try (LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(uri, new LogAssertions())) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("LIM11: Redis at ")
                    .contains("does not decide: ", "no connection to nowhere.invalid:6379: the host name ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis://127.0.0.1:%d", "redis-cluster://127.0.0.1:%d", "redis-sentinel://127.0.0.1:%d#zoo"})
    void aServerThatRefusesIsNamedWithTheReason(String uri) {
        int port;
        try (RedisServer gone = RedisServer.start()) {
            port = gone.port();
        }
        try (LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(String.format(uri, port), new LogAssertions())) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("does not decide: ", "127.0.0.1:" + port, "Connection refused");
        }
    }

    /** The error names each of several sentinels with its reason. */
    @Test
    void eachOfSeveralSentinelsThatRefuseIsNamedWithTheReason() {
        int port;
        try (RedisServer gone = RedisServer.start()) {
            port = gone.port();
        }
        String uri = String.format("redis-sentinel://127.0.0.1:%d,127.0.0.2:%d#zoo", port, port);
        try (LogLines log = new LogLines();
                RateLimiter limiter = Limiters.local(uri, new LogAssertions())) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("no connection to 127.0.0.1:" + port + ": Connection refused")
                    .contains("no connection to 127.0.0.2:" + port + ": Connection refused");
        }
    }

    @Test
    void aSingleServerThatIsTakenForAClusterSaysThatItIsNone() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines();
                RateLimiter limiter =
                        Limiters.local("redis-cluster://127.0.0.1:" + redis.port(), new LogAssertions())) {
            assertThat(limiter).isNotNull();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("LIM11: Redis at 127.0.0.1:" + redis.port() + " does not decide")
                    .contains("cluster support disabled");
        }
    }

    @Test
    void theUserOfTheGuideSufficesAndOneThatMayNotIsToldWhatItLacks() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines()) {
            redis.command(minimum());
            String uri = "redis://limiter:pw@127.0.0.1:" + redis.port();
            try (RateLimiter limiter = Limiters.local(uri, new LogAssertions(), Limiters.PATIENT)) {
                assertThat(Limiters.outcome(limiter, TEN, Limiters.key("alice")))
                        .isEqualTo("admitted by the store");
                limiter.reset(TEN, Limiters.key("alice"));
                assertThat(log.lines()).isEmpty();
            }
            redis.command("ACL", "SETUSER", "limiter", "-lindex", "-zcount");
            try (RateLimiter limiter = Limiters.local(uri, new LogAssertions(), Limiters.PATIENT)) {
                assertThat(Limiters.outcome(limiter, TEN, Limiters.key("alice")))
                        .isEqualTo("admitted by the store");
                assertThat(log.lines())
                        .containsExactly("LIM12: the user of limiter.redis.uri may not run lindex, zcount on 127.0.0.1:"
                                + redis.port() + "; limits that need them will fail. Grant them: ACL SETUSER <user>"
                                + " +lindex +zcount");
            }
        }
    }

    @Test
    void aUserThatMayNotRunScriptsIsReported() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = new LogLines()) {
            redis.command(minimum());
            redis.command("ACL", "SETUSER", "limiter", "-evalsha");
            LogAssertions signals = new LogAssertions();
            try (RateLimiter limiter = Limiters.local("redis://limiter:pw@127.0.0.1:" + redis.port(), signals)) {
                assertThat(log.lines())
                        .singleElement()
                        .asString()
                        .startsWith("LIM11: Redis at 127.0.0.1:" + redis.port() + " does not decide: NOPERM");
                assertThat(signals.reasons()).singleElement().asString().startsWith("NOPERM");
                assertThat(Limiters.outcome(limiter, TEN, Limiters.key("alice")))
                        .isEqualTo("admitted by the fallback");
            }
        }
    }
}
