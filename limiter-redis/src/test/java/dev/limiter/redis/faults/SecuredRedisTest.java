package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TLS, and a user with the minimal permissions of the limiter. */
@Tag("store")
class SecuredRedisTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);

    /** As the documentation of the scripts has it. */
    private static final String[] PERMISSIONS = {
        "resetkeys",
        "~rl:*",
        "resetchannels",
        "-@all",
        "+eval",
        "+evalsha",
        "+time",
        "+get",
        "+set",
        "+del",
        "+pexpire",
        "+rpush",
        "+llen",
        "+lindex",
        "+lrange",
        "+lrem",
        "+ltrim",
        "+zadd",
        "+zscore",
        "+zcount",
        "+zrevrange",
        "+zrangebyscore",
        "+zremrangebyrank",
        "+zrem"
    };

    private static RedisServer redis;
    private static RedisServer elsewhere;

    @BeforeAll
    static void start() {
        redis = RedisServer.startWithTls();
        elsewhere = RedisServer.startWithTlsFor("redis.example");
        permit(redis);
        permit(elsewhere);
    }

    @AfterAll
    static void close() {
        redis.close();
        elsewhere.close();
    }

    private static void permit(RedisServer server) {
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "limiter", "on", ">s3cret/@"));
        words.addAll(List.of(PERMISSIONS));
        server.command(words.toArray(String[]::new));
    }

    @Test
    void decidesForAUserWithAPasswordAndTheTrustedCertificate() {
        for (String host : List.of("localhost", "127.0.0.1")) {
            List<String> log = new ArrayList<>();
            assertThat(admits(redis, host, "s3cret%2F%40", redis, log)).isTrue();
            assertThat(log).isEmpty();
        }
    }

    @Test
    void refusesACertificateThatItDoesNotTrustAndLogsIt() {
        List<String> log = new ArrayList<>();
        assertThat(admits(redis, "localhost", "s3cret%2F%40", elsewhere, log)).isFalse();
        assertThat(log).hasSize(1);
        assertThat(log.get(0)).contains("LIM11", "unable to find valid certification path");
    }

    @Test
    void doesNotSpeakToAnotherHostThanTheCertificateNamesAndSaysSo() {
        List<String> log = new ArrayList<>();
        assertThat(admits(elsewhere, "localhost", "s3cret%2F%40", elsewhere, log))
                .isFalse();
        assertThat(log).hasSize(1);
        assertThat(log.get(0)).contains("LIM11", "No subject alternative DNS name matching localhost");
    }

    @Test
    void saysWhenThePasswordIsWrongWithoutRepeatingIt() {
        List<String> log = new ArrayList<>();
        assertThat(admits(redis, "localhost", "guessed", redis, log)).isFalse();
        assertThat(log).hasSize(1);
        assertThat(log.get(0)).contains("LIM11", "WRONGPASS").doesNotContain("guessed");
    }

    /**
     * @param host the name of the server
     * @param trusted the certificate that is trusted
     * @param log takes the lines of the start
     */
    private static boolean admits(
            RedisServer server, String host, String password, RedisServer trusted, List<String> log) {
        String uri = "rediss://limiter:" + password + "@" + host + ":" + server.port();
        try (LogLines lines = new LogLines();
                RateLimiter limiter = Limiters.closed(
                        uri,
                        new LogAssertions(),
                        "limiter.redis.deadline",
                        "10s",
                        "limiter.redis.trust-store",
                        trusted.trustStore().toString(),
                        "limiter.redis.trust-store-password",
                        trusted.trustStorePassword())) {
            log.addAll(lines.lines());
            if (log.isEmpty()) {
                return limiter.acquire(COUNTER, Limiters.key("all")).admitted();
            }
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> limiter.acquire(COUNTER, Limiters.key("all")));
            return false;
        }
    }
}
