package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.Forwarding;
import dev.limiter.redis.internal.combine.MergedDecisions;
import dev.limiter.redis.internal.node.ClockWatch;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Behaviour that is easily right for the first of several, and wrong for the second or the last.
 */
class MultiplePartitionsTest {
    private static final Policy ONE = Policy.of("one", FIXED_WINDOW, 1, Duration.ofHours(1));
    private static final List<PartitionKey> KEYS = IntStream.range(0, 4)
            .mapToObj(number -> PartitionKey.of("user", "user " + number))
            .toList();

    private int calls;
    private final RateLimiter store = new Forwarding(new LocalRateLimiter(() -> Instant.ofEpochSecond(1_700_000_000))) {
        @Override
        public void about(String call, List<CheckGroup> groups) {
            calls++;
        }
    };
    private final RateLimiter limiter = new RejectionCachingRateLimiter(store, new RejectionCache(), () -> 5);

    private static List<Check> checks(Policy policy) {
        return KEYS.stream().map(key -> Check.of(policy, key)).toList();
    }

    private int asked(PartitionKey key) {
        int before = calls;
        limiter.acquire(ONE, key);
        return calls - before;
    }

    private void spendAll() {
        for (PartitionKey key : KEYS) {
            limiter.acquire(ONE, key);
            limiter.acquire(ONE, key);
            assertThat(asked(key)).as("remembered").isZero();
        }
    }

    @Test
    void whatIsGivenBackIsForgottenForEachOfItsPartitions() {
        Decision.Admitted taken = (Decision.Admitted) store.acquire(new CheckGroup(checks(ONE.asShadow())));
        spendAll();
        limiter.refund(taken);
        KEYS.forEach(key -> assertThat(asked(key)).isOne());
    }

    @Test
    void whatManyGroupsAskOutdatesEachOfTheirPartitions() {
        spendAll();
        limiter.acquireEach(checks(ONE).stream().map(CheckGroup::of).toList());
        KEYS.forEach(key -> assertThat(asked(key)).isOne());
    }

    @Test
    void whatAGroupAsksOutdatesEachOfItsPartitions() {
        spendAll();
        limiter.acquire(new CheckGroup(checks(ONE)));
        KEYS.forEach(key -> assertThat(asked(key)).isOne());
    }

    @Test
    void whatIsResetIsForgottenAndItsNeighboursAreNot() {
        spendAll();
        limiter.reset(ONE, KEYS.get(2));
        assertThat(asked(KEYS.get(2))).isOne();
        assertThat(asked(KEYS.get(0)) + asked(KEYS.get(1)) + asked(KEYS.get(3))).isZero();
    }

    /** Partitions whose rejections share a row of the table. */
    private static List<Check> ofOneRow(int many) {
        List<Check> found = new ArrayList<>();
        int row = -1;
        for (int number = 0; found.size() < many; number++) {
            Check check = Check.of(ONE, PartitionKey.of("row", "key " + number));
            int its = RejectionCache.row(ONE, check.key());
            row = row < 0 ? its : row;
            if (its == row) {
                found.add(check);
            }
        }
        return found;
    }

    private static CachedRejection rejection(Check check) {
        RateLimiter memory = new LocalRateLimiter(() -> Instant.ofEpochSecond(1_700_000_000));
        memory.acquire(CheckGroup.of(check));
        return new CachedRejection(check, (Decision.Rejected) memory.acquire(CheckGroup.of(check)), 0, 0);
    }

    private static void remember(RejectionCache rejections, int row, Check check) {
        int place = rejections.slotFor(row, check, 0);
        rejections.remember(place, rejections.at(place), rejections.version(row), rejection(check));
    }

    @Test
    void aFullRowFindsEachPartitionUntilItIsOutdatedOrForgotten() {
        List<Check> full = ofOneRow(RejectionCache.ROW);
        int row = RejectionCache.row(ONE, full.get(0).key());
        for (Check outdated : full) {
            RejectionCache rejections = new RejectionCache();
            full.forEach(check -> remember(rejections, row, check));
            full.forEach(check -> assertThat(rejections.find(row, check, 0)).isNotNull());
            rejections.invalidate(ONE, outdated.key());
            full.forEach(check -> assertThat(rejections.find(row, check, 0) == null)
                    .as("%s, of which %s is outdated", check, outdated)
                    .isEqualTo(check.equals(outdated)));
        }
    }

    @Test
    void oneTooManyDrivesOutOneAndARejectionOfAPartitionTakesThePlaceOfTheOneBefore() {
        List<Check> tooMany = ofOneRow(RejectionCache.ROW + 1);
        List<Check> full = tooMany.subList(0, RejectionCache.ROW);
        Check last = tooMany.get(RejectionCache.ROW);
        int row = RejectionCache.row(ONE, last.key());
        RejectionCache rejections = new RejectionCache();
        full.forEach(check -> remember(rejections, row, check));
        full.forEach(check -> remember(rejections, row, check));
        assertThat(tooMany)
                .filteredOn(check -> rejections.find(row, check, 0) != null)
                .containsExactlyElementsOf(full);
        remember(rejections, row, last);
        assertThat(tooMany)
                .filteredOn(check -> rejections.find(row, check, 0) != null)
                .hasSize(RejectionCache.ROW)
                .contains(last);
    }

    /**
     * Ten thousand have nearly all of them a place: rows are filled by chance, and few have more
     * partitions than places.
     */
    @Test
    void thousandsOfPartitionsAreRemembered() {
        RejectionCache rejections = new RejectionCache();
        List<Check> many = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            Check check = Check.of(ONE, PartitionKey.of("user", "caller " + i));
            remember(rejections, RejectionCache.row(ONE, check.key()), check);
            many.add(check);
        }
        assertThat(many)
                .filteredOn(check -> rejections.find(RejectionCache.row(ONE, check.key()), check, 0) != null)
                .hasSizeGreaterThan(9_950);
    }

    /**
     * News of the row, or another at the place, while the store was asked: then nothing is
     * remembered.
     */
    @Test
    void whatHasChangedWhileTheStoreWasAskedIsNotRemembered() {
        Check check = ofOneRow(1).get(0);
        int row = RejectionCache.row(ONE, check.key());
        RejectionCache rejections = new RejectionCache();
        for (Runnable change : List.<Runnable>of(() -> rejections.invalidate(ONE, check.key()), rejections::clear)) {
            for (int time = 0; time < 2; time++) {
                int place = rejections.slotFor(row, check, 0);
                Object seen = rejections.at(place);
                int seenVersion = rejections.version(row);
                change.run();
                rejections.remember(place, seen, seenVersion, rejection(check));
                assertThat(rejections.find(row, check, 0)).isNull();
            }
        }
    }

    /** As many equal decisions as one call of the algorithm may make, and a further one. */
    @ParameterizedTest
    @CsvSource({"500, 2", "334, 2", "333, 3", "1000, 1", "250, 4"})
    void equalQuestionsAreSettledTogetherUpToTheirNumber(long cost, int together) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("many", ""));
        Policy log = Policy.of("log", SLIDING_LOG, 1_000, Duration.ofSeconds(10));
        DecisionCall decision = DecisionCall.decide(policies, CheckGroup.of(new Check(log, KEYS.get(0), cost)));
        assertThat(decision.mostAtOnce()).isEqualTo(together);
        for (int number = 1; number <= 9; number++) {
            MergedDecisions call = new MergedDecisions(Collections.nCopies(number, decision));
            assertThat(call.keys())
                    .as("calls of the algorithm for %d", number)
                    .hasSize(-Math.floorDiv(-number, together));
        }
    }

    @Test
    void questionsThatDifferInAnythingAreSettledApart() {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("many", ""));
        Policy policy = Policy.of("p", GCRA, 10, Duration.ofSeconds(10));
        List<CheckGroup> different = List.of(
                CheckGroup.of(Check.of(policy, KEYS.get(0))),
                CheckGroup.of(Check.of(policy, KEYS.get(1))),
                CheckGroup.of(new Check(policy, KEYS.get(0), 2)),
                CheckGroup.of(Check.of(Policy.of("q", GCRA, 10, Duration.ofSeconds(10)), KEYS.get(0))),
                CheckGroup.of(Check.of(policy.withBurst(11), KEYS.get(0))));
        List<DecisionCall> twice = new ArrayList<>();
        for (int time = 0; time < 2; time++) {
            different.forEach(group -> twice.add(DecisionCall.decide(policies, group)));
        }
        assertThat(new MergedDecisions(twice).keys()).hasSize(different.size());
    }

    /** More is charged than one request may cost, and no more than the log holds back. */
    @Test
    void aLogIsChargedNoMoreThanItCanBeChargedAtOnce() {
        Policy log = Policy.of("log", SLIDING_LOG, 100_000, Duration.ofSeconds(10));
        AlgorithmRules rules = log.rules();
        for (long units : new long[] {Policy.MAX_LOG_COST, Policy.MAX_LOG_COST + 1, 50_000}) {
            assertThat(rules.debtArguments(units)).isEqualTo(rules.debtArguments(Policy.MAX_LOG_COST));
        }
        assertThat(rules.debtArguments(Policy.MAX_LOG_COST - 1)).isNotEqualTo(rules.debtArguments(Policy.MAX_LOG_COST));
    }

    /** As many as go in one call, one more, and so on: each is asked once, in its order. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 128, 129, 193})
    void groupsAreAskedInCallsOfSixtyFour(int many) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("many", ""));
        List<Integer> sizes = new ArrayList<>();
        RateLimiter redis = new RedisRateLimiter(
                new ScriptExecutor(null, System::nanoTime, Signals.NONE) {
                    @Override
                    public Reply decide(DecisionCall call, long began) {
                        sizes.add(call.groups());
                        throw new JedisConnectionException("after " + sizes.size());
                    }
                },
                policies,
                Signals.NONE,
                "test",
                System::nanoTime);
        List<CheckGroup> groups = Collections.nCopies(many, CheckGroup.of(Check.of(ONE, KEYS.get(0))));
        if (many == 0) {
            assertThat(redis.acquireEach(groups)).isEmpty();
        } else {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> redis.acquireEach(groups));
        }
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(many);
        assertThat(sizes.stream().filter(size -> size < RateLimiter.MAX_GROUPS)).hasSize(many % 64 == 0 ? 0 : 1);
        assertThat(redis.answer(new Ask.AcquireEach(groups)).made())
                .isEqualTo(Collections.nCopies(many, Optional.empty()));
    }

    /** Redis is in other periods than this process thought, and is gone for the second of three. */
    @Test
    void oneGroupThatFailsWhenItIsAskedAgainLeavesTheOthersDecided() {
        List<Integer> sizes = new ArrayList<>();
        Policy bucket = Policy.of("bucket", GCRA, 5, Duration.ofSeconds(10));
        RateLimiter redis = new RedisRateLimiter(
                new ScriptExecutor(null, System::nanoTime, Signals.NONE) {
                    @Override
                    public Reply decide(DecisionCall call, long began) {
                        sizes.add(call.groups());
                        if (call.groups() > 1) {
                            throw new JedisDataException("PERIODS 1700000000000000");
                        }
                        if (sizes.size() == 3) {
                            throw new JedisConnectionException("gone");
                        }
                        byte[] instant = Packed.packed(1_700_000_000_000_000L);
                        return Reply.of(Packed.joined(Packed.joined(instant, (byte) 1), Packed.packed(0)));
                    }
                },
                new PreparedPolicies(new RedisKeys("again", "")),
                Signals.NONE,
                "test",
                System::nanoTime);
        List<CheckGroup> groups = KEYS.subList(0, 3).stream()
                .map(key -> CheckGroup.of(Check.of(bucket, key)))
                .toList();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> redis.acquireEach(groups))
                .withMessageContaining("gone")
                .satisfies(failed -> {
                    assertThat(failed.decision(0).orElseThrow().admitted()).isTrue();
                    assertThat(failed.decision(1)).isEmpty();
                    assertThat(failed.decision(2).orElseThrow().admitted()).isTrue();
                });
        assertThat(sizes).containsExactly(3, 1, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6379, 65_534, 65_535})
    void everyPortIsOne(int port) {
        assertThat(RedisUri.parse("redis://a:" + port + ",b:" + port).hosts())
                .extracting(host -> host.getPort())
                .containsExactly(port, port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://a:0", "redis://a:65536", "redis://a:1,b:0", "redis://a:1,b:65536", "redis://a:1,"})
    void whatIsNoPortIsRefusedAtEachHost(String uri) {
        assertThatIllegalArgumentException().isThrownBy(() -> RedisUri.parse(uri));
    }

    /**
     * After hours of decisions, too, a step counts from the last that was looked at, and not
     * from the first.
     */
    @Test
    void aClockThatStepsAfterHoursIsNoticed() {
        int[] steps = new int[1];
        ClockWatch watch = new ClockWatch(
                new Signals() {
                    @Override
                    public void happened(Incident incident) {
                        steps[0] += incident == Incident.CLOCK_STEPPED ? 1 : 0;
                    }
                },
                () -> {});
        long micros = 1_700_000_000_000_000L;
        long nanos = 7;
        for (int second = 0; second < 36_000; second++) {
            micros += 1_000_000;
            nanos += 1_000_000_000;
            watch.saw(micros, nanos, nanos);
        }
        assertThat(steps[0]).isZero();
        watch.saw(micros + 1_100_000, nanos, nanos);
        assertThat(steps[0]).isOne();
        nanos += 1_000_000_000;
        watch.saw(micros + 2_100_000 - 1_100_000, nanos, nanos);
        assertThat(steps[0]).as("and back").isEqualTo(2);
    }
}
