package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.ForwardingRateLimiter;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verb, as operators see it. Time is virtual, but on Redis. */
class OperatedRateLimiterTest {
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final Policy LIMIT = banning("p", 1, "15m after 2");
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");
    private static final CheckGroup ASKED = CheckGroup.of(Check.of(LIMIT, KEY));
    private static final Policy CALLS = Policy.of("calls", Algorithm.FIXED_WINDOW, 100, WINDOW);

    private boolean storeIsAway;
    private boolean remembers;
    private final Map<CheckGroup, Decision> remembered = new HashMap<>();
    private final List<Long> charges = new ArrayList<>();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final RateLimiter alone = new LocalRateLimiter(now::get);
    private final RateLimiter waiting = new Store();
    private final Rejections rejections = new Rejections(System::nanoTime, policy -> true);
    private final Candidates candidates = new Candidates();
    private final List<String> forgotten = new ArrayList<>();
    private final Bans bans = new Bans(waiting);
    private final Forgiven forgiven = new Forgiven(bans, PartitionKey::text);
    private final RateLimiter operated = instance(waiting, bans, check -> null);
    private final RateLimiter other = instance(waiting, new Bans(waiting), check -> null);

    private static Policy banning(String name, long limit, String ban) {
        return new Policy(PolicyMembers.of(name, Algorithm.FIXED_WINDOW, limit)
                .with(PolicyMember.WINDOW, WINDOW)
                .with(PolicyMember.BAN, Ban.parse(ban)));
    }

    private RateLimiter instance(RateLimiter store, Bans its, Function<Check, Candidate> candidateOf) {
        return new OperatedRateLimiter(store, rejections, candidates, its, forgiven, candidateOf);
    }

    /** In memory. Its rejections may hold until the test forgets them, as those of a cache do. */
    private final class Store extends ForwardingRateLimiter implements CachedRejections, InstanceRecord {
        Store() {
            super(alone);
        }

        @Override
        public Decision acquire(CheckGroup group) {
            if (!answers(group)) {
                Decision decision = limiter.acquire(group);
                remembered.put(group, remembers && !decision.admitted() ? decision : null);
                return decision;
            }
            return remembered.get(group);
        }

        @Override
        public Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
            return new BlockingAcquire(this::micros, span -> now.updateAndGet(at -> at.plus(span)))
                    .acquire(limiter::acquire, limiter::refund, group, atMost);
        }

        @Override
        public ChargeResult charge(Policy policy, PartitionKey key, long units) {
            charges.add(units);
            ChargeResult made = limiter.charge(policy, key, units);
            return new ChargeResult(
                    policy,
                    made.charged(),
                    made.dropped(),
                    made.remaining(),
                    made.used(),
                    made.nextAfterMicros(),
                    made.resetAfterMicros(),
                    storeIsAway);
        }

        private long micros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, now.get());
        }

        @Override
        public boolean answers(CheckGroup group) {
            return remembered.get(group) != null;
        }

        @Override
        public void forgetAll() {
            remembered.clear();
        }

        @Override
        public void forget(Policy policy, PartitionKey key) {
            forgotten.add(policy.name());
        }
    }

    /**
     * The results of a verb; none if it has none.
     *
     * @param before is given back, or settled at 2 units
     */
    private static List<CheckResult> results(String verb, RateLimiter limiter, Check check, Decision.Admitted before)
            throws InterruptedException {
        CheckGroup group = CheckGroup.of(check);
        switch (verb) {
            case "charge" -> limiter.charge(check.policy(), check.key(), check.cost());
            case "refund" -> limiter.refund(before);
            case "settle" -> limiter.settle(before, check.policy(), 2);
            case "reset" -> limiter.reset(check.policy(), check.key());
            default -> {
                return switch (verb) {
                    case "acquire" -> limiter.acquire(group).results();
                    case "wait" -> limiter.acquire(group, Duration.ZERO).results();
                    case "each" -> limiter.acquireEach(List.of(group)).get(0).results();
                    default -> limiter.peek(group);
                };
            }
        }
        return List.of();
    }

    /**
     * Each verb twice, with 5 units: after 5 of a limit, beside a candidate that has room for 3, so
     * that one fits there; of a partition that one instance has banned 20 s ago for 15 min, by this
     * instance and by another; and of one that is forgiven.
     */
    @ParameterizedTest
    @CsvSource({
        "acquire, 15, 2, 1, 880, 0, 2, true",
        "wait,    15, 2, 1, 880, 0, 2, true",
        "each,    15, 2, 1, 880, 0, 2, true",
        "peek,     5, 0, 0, 880, 0, 0, true",
        "charge,  15, 0, 0,    , 10, 0, false",
        "refund,   0, 0, 0,    , 0, 0, false",
        "settle,   2, 0, 0,    , 0, 0, false",
        "reset,    0, 0, 0,    , 0, 0, false"
    })
    void everyVerb(
            String verb, long used, long tried, long lacked, Long waits, long usedOfBanned, long counted, boolean meets)
            throws InterruptedException {
        Check five = new Check(CALLS, KEY, 5);
        Decision.Admitted before = (Decision.Admitted) alone.acquire(CheckGroup.of(five));
        RateLimiter trying = instance(waiting, bans, check -> candidate("calls", 3));
        for (int time = 0; time < 2; time++) {
            assertThat(results(verb, trying, five, before)).allMatch(CheckResult::admitted);
        }
        assertThat(alone.peek(CALLS, KEY).used()).isEqualTo(used);
        assertThat(counts("calls")).isEqualTo(List.of(tried, lacked));

        Check banned = new Check(banning("p", 5, "15m after 2"), KEY, 5);
        before = (Decision.Admitted) operated.acquire(CheckGroup.of(banned));
        operated.acquire(CheckGroup.of(banned));
        operated.acquire(CheckGroup.of(banned));
        now.updateAndGet(at -> at.plusSeconds(20));
        for (RateLimiter limiter : List.of(operated, other)) {
            assertThat(results(verb, limiter, banned, before))
                    .extracting(result -> result.retryAfterMicros() / 1_000_000)
                    .isEqualTo(waits == null ? List.of() : List.of(waits));
        }
        assertThat(rejections.inTenMinutes("p")).isEqualTo(2 + counted);
        assertThat(alone.peek(banned.policy(), KEY).used()).isEqualTo(usedOfBanned);
        assertThat(operated.acquire(ASKED).admitted()).as("no code ends a ban").isFalse();
        assertThat(operated.acquire(LIMIT, PartitionKey.of("user", "bob")).admitted())
                .isTrue();

        forgive("p");
        results(verb, operated, banned, before);
        results(verb, operated, banned, before);
        assertThat(forgotten).isEqualTo(meets ? List.of("p", "p.gate") : List.of());
    }

    private static Candidate candidate(String of, long limit) {
        Policy policy = Policy.of(of + ".candidate", Algorithm.FIXED_WINDOW, limit, WINDOW)
                .asShadow();
        return new Candidate(policy, policy);
    }

    /** The requests of a candidate, and those that it would have rejected. */
    private List<?> counts(String of) {
        Map<?, ?> counts = (Map<?, ?>) Candidates.sum(candidates.report(Set.of("calls.candidate", "p.candidate")))
                .getOrDefault(of + ".candidate", Map.of("requests", 0L, "candidateRejected", 0L));
        return List.of(counts.get("requests"), counts.get("candidateRejected"));
    }

    private void forgive(String policy) {
        forgiven.add(new Change(Change.TAKEN_BACK, policy, KEY.text(), Map.of(), 0, 0, "", ""));
    }

    /** Each of two limits of a request: forgiven, tried with a candidate, and banned. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void ofTwoLimitsTheRightOneIsMeant(int which) {
        List<Policy> two = List.of(banning("p", 5, "15m after 2"), banning("calls", 5, "15m after 2"));
        CheckGroup both = CheckGroup.of(Check.of(two.get(0), KEY), Check.of(two.get(1), KEY));
        assertThat(bans.gated(both.asRefundable()).refundable()).isTrue();
        String meant = two.get(which).name();
        String spared = two.get(1 - which).name();
        forgive(meant);
        operated.acquire(both);
        assertThat(forgotten).containsExactly(meant, meant + ".gate");
        RateLimiter trying = instance(waiting, bans, check -> {
            String name = check.policy().name();
            return candidate(name, name.equals(meant) ? 1 : 9);
        });
        trying.acquire(both);
        trying.acquire(both);
        assertThat(counts(meant)).isEqualTo(List.of(2L, 1L));
        assertThat(counts(spared)).isEqualTo(List.of(2L, 0L));
        alone.closeGate(two.get(which), KEY, Duration.ofMinutes(15));
        for (RateLimiter limiter : List.of(operated, operated, other)) {
            List<CheckResult> results = limiter.acquire(both).results();
            assertThat(results.get(which).retryAfterMicros()).isEqualTo(900_000_000);
            assertThat(results.get(1 - which).admitted()).isTrue();
        }
        assertThat(rejections.inTenMinutes(meant)).isEqualTo(3);
        assertThat(rejections.inTenMinutes(spared)).isZero();
    }

    /** A lease that has ended when it is renewed rejects no caller; nor does a shadow. */
    @Test
    void whatIsAskedTogetherIsCountedAsOneByOne() {
        Policy jobs = Policy.concurrency("jobs", 1);
        alone.acquire(CheckGroup.of(Check.ofLease(jobs, KEY, "another")));
        CheckGroup lease = CheckGroup.of(Check.ofLease(jobs, KEY, "lease"));
        CheckGroup all = CheckGroup.of(
                new Check(CALLS, KEY, 100), Check.of(candidate("calls", 1).policy(), KEY));
        forgive("calls");
        assertThat(operated.acquireEach(List.of(lease, all, all)))
                .extracting(Decision::admitted)
                .containsExactly(false, true, false);
        assertThat(forgotten).containsExactly("calls");
        assertThat(rejections.inTenMinutes("jobs")).isZero();
        assertThat(rejections.inTenMinutes("calls")).isOne();
        assertThat(rejections.inTenMinutes("calls.candidate")).isZero();
        for (int i = 0; i < 3; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        CheckGroup both = CheckGroup.of(Check.ofLease(jobs, KEY, "another"), Check.of(LIMIT, KEY));
        assertThat(operated.acquireEach(List.of(both)).get(0).admitted()).isFalse();
    }

    @Test
    void aBanThatIsShorterThanTheWindowBeginsToCountAnew() {
        Policy log = new Policy(PolicyMembers.of("p", Algorithm.SLIDING_LOG, 1)
                .with(PolicyMember.WINDOW, WINDOW)
                .with(PolicyMember.BAN, Ban.parse("1s after 2")));
        operated.acquire(log, KEY);
        for (int ban = 0; ban < 2; ban++) {
            for (int i = 0; i < 3; i++) {
                operated.acquire(log, KEY);
            }
            now.updateAndGet(at -> at.plusSeconds(1));
        }
        assertThat(charges).containsExactly(1L, 1L, 1_000L, 1L, 1L, 1_000L);
    }

    private static long retrySeconds(Decision decision) {
        return decision.results().get(0).retryAfterMicros() / 1_000_000;
    }

    /** 3 rejections, of which 2 are not charged; then what ends their count, and the next one. */
    @ParameterizedTest
    @CsvSource({
        "a window, 1",
        "a ban by another instance, 1",
        "an operator, 1",
        "another instance forgives, 1",
        "nothing, 3"
    })
    void whatTheCacheHasRejectedCountsInItsWindowUnlessItIsForgiven(String end, long charged) {
        CheckGroup asked = CheckGroup.of(Check.of(banning("p", 1, "1s after 5"), KEY));
        remembers = true;
        for (int i = 0; i < 4; i++) {
            operated.acquire(asked);
        }
        remembered.clear();
        switch (end) {
            case "a window" -> now.updateAndGet(at -> at.plus(WINDOW));
            case "a ban by another instance" -> {
                alone.closeGate(LIMIT, KEY, Duration.ofSeconds(1));
                assertThat(retrySeconds(operated.acquire(asked))).isOne();
                remembered.clear();
                now.updateAndGet(at -> at.plusSeconds(1));
            }
            case "another instance forgives" -> forgive("p");
            case "an operator" -> {
                alone.charge(Policy.of("p.rejections", Algorithm.FIXED_WINDOW, 5, WINDOW), KEY, 3);
                bans.forgive(asked.checks().get(0).policy(), KEY);
            }
            default -> {}
        }
        charges.clear();
        while (charges.isEmpty()) {
            operated.acquire(asked);
        }
        assertThat(charges).containsExactly(charged);
        remembered.clear();
        charges.clear();
        other.acquire(asked);
        assertThat(charges)
                .as("the fifth is another instance's")
                .isEqualTo(charged == 3 ? List.of(1L, 1_000L) : List.of(1L));
    }

    @Test
    void aCallerThatWaitsIsNeitherRejectedNorBannedMeanwhile() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            assertThat(operated.acquire(ASKED, Duration.ofSeconds(11)).admitted())
                    .isTrue();
        }
        assertThat(rejections.inTenMinutes("p")).isZero();
    }

    @Test
    void aWaitInVainIsOneRejection() throws InterruptedException {
        operated.acquire(ASKED);
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(1)).admitted()).isFalse();
        assertThat(rejections.inTenMinutes("p")).isEqualTo(1);
        operated.acquire(ASKED, Duration.ofSeconds(1));
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(60)).results())
                .extracting(CheckResult::retryAfterMicros)
                .containsExactly(Duration.ofMinutes(15).toNanos() / 1_000);
    }

    /** A part of the number of the ban is spent there, and the store may be back at once. */
    @Test
    void whatOneInstanceCountsWhileTheStoreIsAwayBansNoCaller() {
        storeIsAway = true;
        for (int i = 0; i < 5; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        assertThat(operated.acquire(ASKED).admitted()).isTrue();
    }

    /** Redis' cache holds for 10 s, so a slow machine asks again. */
    @Test
    void rejectionsOfTheCacheCostNoCallAndTheTwentiethBansOnBothInstances() {
        Policy limit = new Policy(PolicyMembers.of("login", Algorithm.FIXED_WINDOW, 1)
                .with(PolicyMember.WINDOW, Duration.ofDays(300))
                .with(PolicyMember.BAN, Ban.parse("1h after 20")));
        try (RedisServer redis = RedisServer.start();
                RateLimiter one = onRedis(redis);
                RateLimiter second = onRedis(redis)) {
            assertThat(one.acquire(limit, KEY).admitted()).isTrue();
            long began = System.nanoTime();
            long before = calls(redis);
            for (int rejected = 1; rejected < 20; rejected++) {
                assertThat(one.acquire(limit, KEY).admitted()).isFalse();
            }
            long periods = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
            assertThat(calls(redis) - before).isLessThanOrEqualTo(2 * periods);
            assertThat(one.peek(limit.gate(), KEY).admitted()).isTrue();
            one.acquire(limit, KEY);
            for (RateLimiter each : List.of(second, one, second)) {
                assertThat(retrySeconds(each.acquire(limit, KEY))).isBetween(3_000L, 3_600L);
            }
        }
    }

    private RateLimiter onRedis(RedisServer redis) {
        Map<String, String> values = Map.of("limiter.redis.uri", redis.uri(), "limiter.redis.deadline", "20s");
        Settings settings = name -> Optional.ofNullable(values.get(name));
        RateLimiter store = ServiceLoader.load(RateLimiterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.isNamed(settings))
                .flatMap(each -> each.create("calls", settings, Signals.NONE).stream())
                .findFirst()
                .orElseThrow();
        return instance(store, new Bans(store), check -> null);
    }

    private static long calls(RedisServer redis) {
        String stats = redis.command("INFO", "commandstats").toString();
        return Long.parseLong(stats.replaceAll("(?s).*cmdstat_evalsha:calls=(\\d+).*", "$1"));
    }
}
