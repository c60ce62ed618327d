package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.redis.Snapshot;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;

/** The limiter as an application gets it, on a real Redis and its own clock. */
@Tag("store")
public class RedisRateLimiterTest extends RateLimiterContract {
    private static final Policy GATE = Policy.of("buyer", UNIFORM, 1, Duration.ofHours(1));
    private static final Policy SHOW = Policy.of("show", SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy API = Policy.of("api", GCRA, 600, Duration.ofHours(1));
    private static final Policy DAY = Policy.of("day", FIXED_WINDOW, 10, Duration.ofDays(1));

    private RedisServer redis;
    private RedisClient jedis;
    private RateLimiter limiter;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        limiter = limiter("zoo", Map.of());
    }

    @AfterEach
    void stop() {
        limiter.close();
        jedis.close();
        redis.close();
    }

    @Override
    protected RateLimiter limiter() {
        return limiter;
    }

    @Override
    protected void writingNothing(Runnable call) {
        Snapshot before = Snapshot.of(jedis);
        call.run();
        assertThat(Snapshot.of(jedis).sameAs(before)).isTrue();
    }

    @Test
    void whateverIsAskedIsOneCall() {
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(all("alice"));
        limiter.peek(all("alice"));
        limiter.charge(API, PartitionKey.of("user", "alice"), 3);
        limiter.refund(admission);
        long before = calls("evalsha");
        limiter.peek(all("alice"));
        limiter.charge(API, PartitionKey.of("user", "alice"), 3);
        limiter.refund((Decision.Admitted) limiter.acquire(all("bob")));
        assertThat(calls("evalsha") - before).isEqualTo(4);
        limiter.reset(API, PartitionKey.of("user", "alice"));
        assertThat(calls("evalsha") - before).isEqualTo(4);
    }

    @Test
    void sixtyFourGroupsShareACall() {
        limiter.acquire(all("alice"));
        long before = calls("evalsha");
        limiter.acquireEach(Collections.nCopies(130, CheckGroup.of(Check.of(SHOW, PartitionKey.of("show", "circus")))));
        assertThat(calls("evalsha") - before).isEqualTo(3);
    }

    @Test
    void fourPoliciesAreOneEvalshaAndTheFirstOneEval() {
        jedis.scriptFlush();
        long before = calls("evalsha");
        long texts = calls("eval");
        for (int i = 0; i < 10; i++) {
            limiter.acquire(all("user" + i));
        }
        assertThat(calls("evalsha") - before).isEqualTo(10);
        assertThat(calls("eval") - texts).isEqualTo(1);
    }

    @Test
    void noSecondCallIsMadeWhenTheDeadlineWouldNotHoldIt() {
        AtomicLong clock = new AtomicLong();
        Signals late = new Signals() {
            @Override
            public void happened(Incident incident) {
                if (incident == Incident.SCRIPT_MISSING) {
                    clock.set(110_000_001);
                }
            }
        };
        RedisUri uri = RedisUri.parse(redis.uri());
        Timeouts timeouts = Timeouts.within(Duration.ofMillis(150));
        RateLimiter hurried = RedisStore.limiter(
                uri,
                ClientConfig.of(uri, timeouts).build(),
                1,
                timeouts,
                new ProcessClock(clock::get, Long.MAX_VALUE),
                late,
                new PreparedPolicies(new RedisKeys("zoo", "")),
                () -> {});
        jedis.scriptFlush();
        clock.set(0);
        long evals = calls("eval");
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> hurried.charge(GATE, user("alice"), 1))
                .withMessageContaining("NOSCRIPT");
        assertThat(calls("eval")).isEqualTo(evals);
    }

    @Test
    void everyKeyHasATimeToLiveAndSaysNothingOfItsCaller() {
        for (int i = 0; i < 100; i++) {
            limiter.acquire(all("alice" + i));
        }
        for (String key : jedis.keys("*")) {
            assertThat(jedis.pttl(key))
                    .as(key)
                    .isBetween(1_000L, Duration.ofDays(2).toMillis());
            assertThat(key)
                    .matches("rl:zoo:[A-Za-z0-9_-]{11}:\\{[A-Za-z0-9_-]{22}}")
                    .doesNotContain("alice");
        }
    }

    @Test
    void noKeyExpiresBeforeItsStateIsSpent() {
        for (Policy policy : List.of(GATE, SHOW, API, DAY)) {
            jedis.flushAll();
            CheckResult result =
                    limiter.acquire(policy, user("alice")).results().get(0);
            long ttlMicros = jedis.pttl(jedis.keys("*").iterator().next()) * 1_000;
            // The key was written before it was asked, so some of the second of grace may be
            // gone.
            assertThat(ttlMicros).as(policy.name()).isGreaterThan(result.resetAfterMicros() - 5_000_000);
        }
    }

    @Test
    void manyMoreThreadsThanConnectionsAllGetTheirDecision() throws Exception {
        Policy policy = Policy.of("crowd", SLIDING_LOG, 500, Duration.ofHours(1));
        List<Long> admitted = ManyThreads.call(
                64,
                () -> LongStream.range(0, 100)
                        .filter(i -> limiter.acquire(policy, user("crowd")).admitted())
                        .count());
        assertThat(admitted.stream().reduce(0L, Long::sum)).isEqualTo(500);
        assertThat(stat("clients", "connected_clients:(\\d+)")).isLessThanOrEqualTo(8 + 1);
    }

    @Test
    void twoApplicationsOnOneRedisDoNotMeetAndTwoOfOneNameDo() {
        assertThat(limiter.acquire(GATE, user("alice")).admitted()).isTrue();
        try (RateLimiter other = limiter("farm", Map.of());
                RateLimiter same = limiter("zoo", Map.of())) {
            assertThat(other.acquire(GATE, user("alice")).admitted()).isTrue();
            assertThat(same.acquire(GATE, user("alice")).admitted()).isFalse();
        }
    }

    @Test
    void aSecretChangesEveryDigest() {
        limiter.acquire(GATE, user("alice"));
        String open = jedis.keys("*").iterator().next();
        jedis.flushAll();
        try (RateLimiter secret = limiter("zoo", Map.of("limiter.key-secret", "s3cret"))) {
            secret.acquire(GATE, user("alice"));
        }
        String closed = jedis.keys("*").iterator().next();
        assertThat(closed).isNotEqualTo(open).startsWith(open.substring(0, open.indexOf('{')));
    }

    @Test
    void aRedisThatIsGoneGivesNoDecisionAndSaysWhichRedis() {
        limiter.acquire(GATE, user("alice"));
        redis.close();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(GATE, user("bob")))
                .withMessageStartingWith("Redis at 127.0.0.1:" + redis.port() + " gave no decision: ");
    }

    @Test
    void aStateThatIsNotOursGivesNoDecision() {
        limiter.acquire(API, user("alice"));
        String key = jedis.keys("*").iterator().next();
        jedis.set(key, "foreign");
        long evals = calls("eval");
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(API, user("alice")));
        assertThat(calls("eval")).as("only NOSCRIPT proves that nothing ran").isEqualTo(evals);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:6379",
                "http://localhost:6379",
                "redis://",
                "redis://a:1,",
                "redis://a:1,b:2/1",
                "redis-cluster://a:1/1",
                "redis-sentinel://a:1",
                "redis-sentinel://a:1/0#",
                "redis://a:1#master",
                "::",
                "redis://h:1/abc",
                "redis://h:1/1/2",
                "redis://user@h:1",
                "redis://:s%zz@h:1",
                "redis://h:0",
                "redis://h:99999",
                "redis://h:6379?protocol=3"
            })
    void anAddressThatIsNoRedisIsRefusedWithoutRepeatingIt(String uri) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> new RedisRateLimiterProvider()
                        .create("zoo", settings(Map.of("limiter.redis.uri", uri)), Signals.NONE))
                .withMessage("limiter.redis.uri: is not the address of a Redis; write redis://host:port,"
                        + " rediss://user:password@host:port/db, redis://a:port,b:port for a cluster, or"
                        + " redis-sentinel://a:port,b:port#master; in a password %40 stands for @, %2F for / and %25"
                        + " for %");
    }

    @Test
    void passwordAndDatabaseOfTheAddressAreUsed() {
        try (RedisServer locked = RedisServer.start("--requirepass", "s3cret");
                RedisClient inside = RedisClient.create("redis://:s3cret@127.0.0.1:" + locked.port() + "/2");
                RateLimiter right = limiter(
                        "zoo", Map.of("limiter.redis.uri", "redis://:s3cret@127.0.0.1:" + locked.port() + "/2"));
                RateLimiter wrong =
                        limiter("zoo", Map.of("limiter.redis.uri", "redis://:wrong@127.0.0.1:" + locked.port()))) {
            assertThat(right.acquire(GATE, user("alice")).admitted()).isTrue();
            assertThat(inside.keys("*")).hasSize(1);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> wrong.acquire(GATE, user("alice")))
                    .satisfies(failed -> assertThat(failed.getMessage()).doesNotContain("wrong"));
        }
    }

    @Test
    void theDeadlineIsSharedOutOverWaitingConnectionAndAnswer() {
        Timeouts timeouts = Timeouts.within(Duration.ofMillis(150));
        assertThat(timeouts).isEqualTo(new Timeouts(70, 50, 40));
        JedisClientConfig client =
                ClientConfig.of(RedisUri.parse("redis://localhost"), timeouts).build();
        assertThat(client.getConnectionTimeoutMillis()).isEqualTo(50);
        assertThat(client.getSocketTimeoutMillis()).isEqualTo(300);
        assertThat(timeouts.leaveTimeForAnotherCall(110_000_000)).isTrue();
        assertThat(timeouts.leaveTimeForAnotherCall(110_000_001)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "src", "nowhere.p12"})
    void aTrustStoreThatIsNoneIsRefused(String path) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> limiter(
                        "zoo", Map.of("limiter.redis.uri", "rediss://localhost:1", "limiter.redis.trust-store", path)))
                .withMessageStartingWith("limiter.redis.trust-store: \"" + path + "\" cannot be read");
    }

    @Test
    void aDeadlineWithoutUnitIsRefused() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> limiter("zoo", Map.of("limiter.redis.deadline", "150")))
                .withMessageStartingWith("limiter.redis.deadline: \"150\" is not a duration");
    }

    private RateLimiter limiter(String application, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("limiter.redis.deadline", "1m"); // no test may fail because the machine is slow
        settings.put("limiter.on-store-failure", "CLOSED"); // what Redis does not decide is an exception here
        settings.put("limiter.redis.uri", redis.uri());
        settings.putAll(more);
        return new RedisRateLimiterProvider()
                .create(application, settings(settings), Signals.NONE)
                .orElseThrow();
    }

    private static Settings settings(Map<String, String> values) {
        return name -> Optional.ofNullable(values.get(name));
    }

    private static CheckGroup all(String user) {
        return CheckGroup.of(
                Check.of(GATE, user(user)),
                Check.of(SHOW, PartitionKey.of("path:show", "circus")),
                Check.of(API, user(user)),
                Check.of(DAY, user(user)));
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }

    private long calls(String command) {
        return stat("commandstats", "cmdstat_" + command + ":calls=(\\d+),.*");
    }

    private long stat(String section, String line) {
        return jedis.info(section)
                .lines()
                .filter(each -> each.matches(line))
                .mapToLong(each -> Long.parseLong(each.replaceAll(line, "$1")))
                .sum();
    }
}
