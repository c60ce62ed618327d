package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.RedisRateLimiterProvider;
import dev.limiter.redis.Snapshot;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;

/** The limiter as an application gets it, on a real Redis and its own clock. */
public class RedisRateLimiterTest {
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

    @Test
    void aGroupThatOnePolicyRejectsWritesNothing() {
        assertThat(limiter.acquire(all("alice")).admitted()).isTrue();
        Snapshot before = Snapshot.of(jedis);
        Decision second = limiter.acquire(all("alice"));
        assertThat(second.admitted()).isFalse();
        assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(false, true, true, true);
        assertThat(second.results().get(1).remaining()).isEqualTo(99);
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
    void aChargeOfNothingTellsWhatIsThereAndWritesNothing() {
        limiter.acquire(all("alice"));
        Snapshot before = Snapshot.of(jedis);
        ChargeResult nothing = limiter.charge(API, PartitionKey.of("user", "alice"), 0);
        assertThat(nothing.charged() + nothing.dropped()).isZero();
        assertThat(nothing.remaining()).isEqualTo(599);
        assertThat(Snapshot.of(jedis).sameAs(before)).isTrue();
    }

    @Test
    void sixtyFourGroupsShareACallAndAreDecidedInTheirOrder() {
        limiter.acquire(all("alice"));
        long before = calls("evalsha");
        List<CheckGroup> groups = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            groups.add(CheckGroup.of(Check.of(SHOW, PartitionKey.of("show", "circus"))));
        }
        List<Decision> decisions = limiter.acquireEach(groups);
        assertThat(calls("evalsha") - before).isEqualTo(3);
        assertThat(decisions).hasSize(130);
        for (int i = 0; i < 130; i++) {
            assertThat(decisions.get(i).admitted()).isEqualTo(i < 100);
            assertThat(decisions.get(i).results().get(0).remaining()).isEqualTo(Math.max(0, 99 - i));
        }
        assertThat(limiter.acquireEach(List.of())).isEmpty();
    }

    @Test
    void aShadowIsChargedWithTheOthersAndHasNoSay() {
        Policy shadow = Policy.of("trial", UNIFORM, 1, Duration.ofHours(1)).asShadow();
        PartitionKey alice = PartitionKey.of("user", "alice");
        CheckGroup group = CheckGroup.of(Check.of(shadow, alice), Check.of(DAY, alice));
        assertThat(limiter.acquire(group).results())
                .extracting(CheckResult::admitted)
                .containsExactly(true, true);
        Decision second = limiter.acquire(group);
        assertThat(second.admitted()).isTrue();
        assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(false, true);
        assertThat(second.results())
                .extracting(result -> result.policy().name())
                .containsExactly("trial", "day");
        for (int i = 0; i < 8; i++) {
            limiter.acquire(group);
        }
        Decision rejected = limiter.acquire(group);
        assertThat(((Decision.Rejected) rejected).failing())
                .extracting(CheckResult::policy)
                .containsExactly(DAY);
        assertThat(limiter.acquire(CheckGroup.of(Check.of(shadow, alice))).admitted())
                .isTrue();
    }

    /**
     * Leases are given back while others fight for them: never more in flight than the limit,
     * and none is lost.
     */
    @Test
    void noMoreThanTheLimitAreInFlight() throws Exception {
        Policy three = Policy.concurrency("exports", 3);
        PartitionKey all = PartitionKey.of("all", "all");
        limiter.close();
        limiter = limiter("zoo", Map.of("limiter.redis.deadline", "1m"));
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger admitted = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                working.add(threads.submit(() -> {
                    for (int round = 0; round < 100; round++) {
                        if (limiter.acquire(three, all) instanceof Decision.Admitted admission) {
                            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                            admitted.incrementAndGet();
                            inFlight.decrementAndGet();
                            assertThat(limiter.refund(admission)).isTrue();
                            assertThat(limiter.refund(admission)).isFalse();
                        }
                    }
                }));
            }
            for (Future<?> each : working) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(admitted.get()).isGreaterThanOrEqualTo(100);
        assertThat(limiter.peek(three, all).remaining()).isEqualTo(3);
    }

    @Test
    void askingAgainRenewsALeaseAndTakesNoSecond() {
        Policy one = Policy.concurrency("job", 1);
        PartitionKey all = PartitionKey.of("all", "all");
        CheckGroup job = CheckGroup.of(Check.ofLease(one, all, "job-1"));
        assertThat(limiter.acquire(job).admitted()).isTrue();
        assertThat(limiter.acquireEach(List.of(job, job))).allMatch(Decision::admitted);
        assertThat(limiter.acquire(one, all).admitted()).isFalse();
        limiter.refund((Decision.Admitted) limiter.acquire(job));
        assertThat(limiter.acquire(one, all).admitted()).isTrue();
        assertThat(limiter.acquire(job).admitted()).isFalse();
    }

    /**
     * One signal for each lease that nothing has renewed for its length; none for a lease that
     * is gone for another reason.
     */
    @Test
    void aLeaseThatExpiredBeforeItsReleaseIsTold() {
        AtomicInteger expired = new AtomicInteger();
        VirtualTime time = new VirtualTime(jedis);
        RateLimiter told = time.limiter("zoo", new Signals() {
            @Override
            public void leaseExpired() {
                expired.incrementAndGet();
            }
        });
        Policy exports = Policy.concurrency("exports", 3);
        Policy imports = Policy.concurrency("imports", 3);
        CheckGroup both = CheckGroup.of(
                Check.of(exports, user("alice")), Check.of(DAY, user("alice")), Check.of(imports, user("alice")));
        Decision.Admitted inTime = (Decision.Admitted) told.acquire(both);
        time.advance(29_999_999);
        told.refund(inTime);
        Decision.Admitted first = (Decision.Admitted) told.acquire(both);
        time.advance(25_000_000);
        told.acquireEach(List.of(both));
        time.advance(25_000_000);
        told.refund(first);
        Decision.Admitted reset = (Decision.Admitted) told.acquire(both);
        told.reset(exports, user("alice"));
        told.refund(reset);
        assertThat(expired).hasValue(0);

        Decision.Admitted late = (Decision.Admitted) told.acquire(both);
        time.advance(30_000_000);
        told.refund(late);
        assertThat(expired).as("two of the three charges were leases").hasValue(2);
        told.refund(late);
        assertThat(expired).hasValue(2);
    }

    /** A quota stays spent when the lease of the same request comes back. */
    @Test
    void aPartOfAnAdmissionIsGivenBackByItself() {
        Policy three = Policy.concurrency("exports", 3);
        PartitionKey alice = PartitionKey.of("user", "alice");
        Decision.Admitted admission =
                (Decision.Admitted) limiter.acquire(CheckGroup.of(Check.of(DAY, alice), Check.of(three, alice)));
        assertThat(limiter.refund(admission.only(policy -> policy.equals(three))))
                .isTrue();
        assertThat(limiter.peek(three, alice).remaining()).isEqualTo(3);
        assertThat(limiter.peek(DAY, alice).remaining()).isEqualTo(9);
        assertThat(limiter.refund(admission.only(policy -> false))).isFalse();
    }

    @Test
    void neitherAPartNorTheWholeIsGivenBackTwice() {
        PartitionKey alice = PartitionKey.of("user", "alice");
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(all("alice"));
        assertThat(limiter.refund(admission.only(policy -> policy.equals(DAY)))).isTrue();
        assertThat(limiter.refund(admission.only(policy -> policy.equals(DAY)))).isFalse();
        assertThat(limiter.peek(DAY, alice).remaining()).isEqualTo(10);
        limiter.acquire(DAY, alice);
        assertThat(limiter.refund(admission)).isTrue();
        assertThat(limiter.refund(admission.only(policy -> true))).isFalse();
        assertThat(limiter.peek(DAY, alice).remaining()).isEqualTo(9);
        assertThat(limiter.peek(API, alice).remaining()).isEqualTo(600);
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
            public void scriptMissing() {
                clock.set(110_000_001);
            }
        };
        RedisUri uri = RedisUri.parse(redis.uri());
        Timeouts timeouts = Timeouts.within(Duration.ofMillis(150));
        RateLimiter hurried = new RedisStore(uri, ClientConfig.of(uri, timeouts, "", ""), 1, timeouts, clock::get, late)
                .limiter(new PreparedPolicies(new RedisKeys("zoo", "")), false);
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
        ExecutorService threads = Executors.newFixedThreadPool(64);
        try {
            List<Future<Boolean>> admitted = new ArrayList<>();
            for (int i = 0; i < 6_400; i++) {
                admitted.add(threads.submit(
                        () -> limiter.acquire(policy, user("crowd")).admitted()));
            }
            long count = 0;
            for (Future<Boolean> each : admitted) {
                count += each.get() ? 1 : 0;
            }
            assertThat(count).isEqualTo(500);
            assertThat(stat("clients", "connected_clients:(\\d+)")).isLessThanOrEqualTo(8 + 1);
        } finally {
            threads.shutdownNow();
        }
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
        JedisClientConfig client = ClientConfig.of(RedisUri.parse("redis://localhost"), timeouts, "", "");
        assertThat(client.getConnectionTimeoutMillis()).isEqualTo(50);
        assertThat(client.getSocketTimeoutMillis()).isEqualTo(150);
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
        settings.put("limiter.redis.deadline", "20s"); // no test may fail because the machine is slow
        settings.put("limiter.on-store-failure", "CLOSED"); // what Redis does not decide is an exception here
        settings.put("limiter.redis.uri", redis.uri());
        settings.put("limiter.on-store-failure", "CLOSED"); // what is tested here is Redis
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
