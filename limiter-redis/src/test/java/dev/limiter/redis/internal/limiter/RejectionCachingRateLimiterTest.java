package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.FixedWindow;
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.redis.Forwarding;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which rejections are cached, until when, and what clears them. The store is in memory, on the
 * clock of the test.
 */
class RejectionCachingRateLimiterTest extends RateLimiterContract.OnAClock {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy BUYER =
            Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(5);
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private long nanos = 100 * SECOND;
    private int calls;
    private final RejectionCache rejections = new RejectionCache();
    private Runnable meanwhile = () -> {};
    private final RateLimiter store = new Forwarding(new LocalRateLimiter(this::now)) {
        @Override
        public void about(String call, List<CheckGroup> groups) {
            calls++;
            if (groups.toString().contains("gone")) {
                throw new StoreUnavailableException("gone", null);
            }
        }

        /**
         * The decision is made first; then its answer is under way, while others do what
         * they do.
         */
        @Override
        public <A> A answer(Ask<A> ask) {
            A answer = super.answer(ask);
            if (ask instanceof Ask.Acquire) {
                Runnable once = meanwhile;
                meanwhile = () -> {};
                once.run();
            }
            return answer;
        }
    };
    private final RateLimiter limiter = new RejectionCachingRateLimiter(store, rejections, () -> nanos);

    @Override
    protected RateLimiter limiter() {
        return limiter;
    }

    @Override
    protected RateLimiter limiter(Signals signals) {
        MemoryStore memory = new MemoryStore(this::now, signals);
        return new RejectionCachingRateLimiter(memory, rejections, () -> nanos);
    }

    @Override
    protected void advance(long micros) {
        nanos += 1_000 * micros;
    }

    private Instant now() {
        return Instant.ofEpochSecond(1_700_000_000, nanos / 1_000 * 1_000);
    }

    @Test
    void repeatedRejectedRequestsCostTheStoreOneCall() {
        spend(BUYER, ALICE);
        CheckResult first = ask(BUYER, ALICE);
        assertThat(asked(() -> assertThat(ask(BUYER, ALICE)).isEqualTo(first))).isZero();
        nanos += SECOND;
        assertThat(asked(() -> {
                    Decision later = limiter.acquire(BUYER, ALICE);
                    assertThat(later.results().get(0)).isEqualTo(rejected(BUYER, 1_000_000, 1_000_000, 9_000_000));
                    assertThat(later.atMicros()).isEqualTo(1_700_000_101_000_000L);
                }))
                .isZero();
    }

    /** The estimate of 5 units is the whole burst; 3 were used. */
    @Test
    void aSettlementThatGivesUnitsBackEndsARejection() {
        Decision.Admitted estimate = (Decision.Admitted) limiter.acquire(CheckGroup.of(new Check(BUYER, ALICE, 5)));
        assertThat(ask(BUYER, ALICE).admitted()).isFalse();
        limiter.settle(estimate, BUYER, 3);
        assertThat(ask(BUYER, ALICE).admitted()).isTrue();
        assertThat(ask(BUYER, ALICE).admitted()).isTrue();
        assertThat(ask(BUYER, ALICE).admitted()).isFalse();
    }

    @Test
    void theTimeUntilThenBeginsWhenTheStoreIsAsked() {
        spend(BUYER, ALICE);
        meanwhile = () -> nanos += 100 * MILLI;
        ask(BUYER, ALICE); // 2 s, said at the beginning of 100 ms
        nanos += 1_898 * MILLI - 1;
        assertThat(asked(() -> ask(BUYER, ALICE))).isZero();
        nanos += 1;
        assertThat(asked(() -> ask(BUYER, ALICE))).isOne();
    }

    @Test
    void waitsGrowShorterFromWhenTheAnswerWasThere() {
        spend(BUYER, ALICE);
        meanwhile = () -> nanos += 100 * MILLI;
        ask(BUYER, ALICE);
        nanos += 400 * MILLI + 999;
        assertThat(ask(BUYER, ALICE)).isEqualTo(rejected(BUYER, 1_600_000, 1_600_000, 9_600_000));
    }

    @Test
    void anAnswerThatWasLongUnderWayIsNotRemembered() {
        spend(BUYER, ALICE);
        meanwhile = () -> nanos += 1_998 * MILLI;
        ask(BUYER, ALICE);
        assertThat(asked(() -> ask(BUYER, ALICE))).isOne();
    }

    @Test
    void whatOthersChangeIsHeardOfAfterTenSeconds() {
        Policy day = Policy.of("day", FIXED_WINDOW, 1, Duration.ofDays(1)).alignedToTheClock();
        spend(day, ALICE);
        ask(day, ALICE);
        nanos += 10 * SECOND - 1;
        assertThat(asked(() -> ask(day, ALICE))).isZero();
        nanos += 1;
        store.reset(day, ALICE);
        assertThat(ask(day, ALICE).admitted()).isTrue();
    }

    @Test
    void anotherCostOrKeyOrOtherNumbersAreAsked() {
        spend(BUYER, ALICE);
        ask(BUYER, ALICE);
        assertThat(asked(() -> limiter.acquire(BUYER, PartitionKey.of("user", "bob"))))
                .isOne();
        assertThat(asked(() -> limiter.acquire(named("seller"), ALICE))).isOne();
        assertThat(asked(() -> limiter.acquire(named("buyer"), ALICE))).isZero(); // equal, and another object
        assertThat(asked(() -> limiter.acquire(CheckGroup.of(new Check(BUYER, ALICE, 2)))))
                .isOne();
        ask(BUYER, ALICE);
        assertThat(limiter.acquire(BUYER.withBurst(6), ALICE).admitted()).isTrue();
    }

    /** Contract quotas: the caller has 400 of one node, and still 250 of another. */
    @ParameterizedTest
    @EnumSource(
            value = Algorithm.class,
            names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "GCRA", "TOKEN_BUCKET"})
    void aRaisedLimitOfAPartitionIsAnsweredByTheStore(Algorithm algorithm) {
        Policy before = Policy.of("plan", algorithm, 250, Duration.ofDays(1)).withVaryingLimit();
        Policy raised = Policy.of("plan", algorithm, 400, Duration.ofDays(1)).withVaryingLimit();
        spend(before, ALICE);
        for (int i = 0; i < 3; i++) {
            ask(before, ALICE);
            assertThat(asked(() -> ask(before, ALICE))).isZero();
            assertThat(asked(() -> assertThat(ask(raised, ALICE).admitted()).isTrue()))
                    .isOne();
        }
    }

    @Test
    void whatIsChargedWithOtherNumbersMakesItOutdated() {
        spend(BUYER, ALICE);
        ask(BUYER, ALICE);
        limiter.acquire(BUYER.withBurst(6), ALICE);
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(4_000_000);
        limiter.acquireEach(List.of(CheckGroup.of(Check.of(BUYER.withBurst(7), ALICE))));
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(6_000_000);
        limiter.acquire(CheckGroup.of(Check.of(BUYER.withBurst(8), ALICE), Check.of(named("seller"), ALICE)));
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(8_000_000);
    }

    @Test
    void whileUnitsAreLeftOthersMayTakeThem() {
        limiter.acquire(CheckGroup.of(new Check(BUYER, ALICE, 4)));
        CheckGroup two = CheckGroup.of(new Check(BUYER, ALICE, 2));
        assertThat(limiter.acquire(two).results().get(0).remaining()).isOne();
        assertThat(asked(() -> limiter.acquire(two))).isOne();
    }

    @Test
    void slotsAndLeasesComeBackAtAnyTime() {
        Policy leaky = Policy.leakyBucket("mails", 1, Duration.ofSeconds(10), Duration.ZERO);
        Policy leases = Policy.concurrency("jobs", 1);
        for (Policy policy : List.of(leaky, leases)) {
            limiter.acquire(policy, ALICE);
            assertThat(ask(policy, ALICE).remaining()).isZero();
            assertThat(asked(() -> ask(policy, ALICE))).isOne();
        }
    }

    @Test
    void groupsOfSeveralAndRefundableOnesAreAlwaysAsked() {
        spend(BUYER, ALICE);
        CheckGroup refundable = CheckGroup.of(Check.of(BUYER, ALICE)).asRefundable();
        CheckGroup both = CheckGroup.of(Check.of(BUYER, ALICE), Check.of(named("seller"), ALICE));
        for (CheckGroup group : List.of(refundable, both)) {
            limiter.acquire(group);
            assertThat(asked(() -> limiter.acquire(group))).isOne();
        }
        ask(BUYER, ALICE);
        assertThat(asked(() -> limiter.acquire(refundable))).isOne();
        ask(BUYER, ALICE);
        assertThat(asked(() -> limiter.peek(BUYER, ALICE))).isOne();
        assertThat(asked(() -> limiter.acquireEach(List.of(CheckGroup.of(Check.of(BUYER, ALICE))))))
                .isOne();
    }

    @Test
    void aRejectionBesideAnOpenGateIsCachedAndOneBesideAClosedGateIsAsked() {
        CheckGroup gated = CheckGroup.of(Check.of(BUYER, ALICE)).withGates();
        spend(BUYER, ALICE);
        List<CheckResult> first = limiter.acquire(gated).results();
        assertThat(asked(() -> assertThat(limiter.acquire(gated).results()).isEqualTo(first)))
                .isZero();
        assertThat(((RejectionCachingRateLimiter) limiter).answers(gated)).isTrue();
        assertThat(asked(() -> limiter.acquire(gated.asRefundable()))).isOne();
        limiter.acquire(gated);
        limiter.closeGate(BUYER, ALICE, Duration.ofMinutes(1));
        assertThat(limiter.acquire(gated).results().get(1).admitted()).isFalse();
        assertThat(asked(() -> limiter.acquire(gated))).isOne();
        CheckGroup more = CheckGroup.of(Check.of(BUYER, ALICE), Check.of(named("seller"), ALICE))
                .withGates();
        ask(BUYER, ALICE);
        assertThat(asked(() -> limiter.acquire(more))).isOne();
    }

    @Test
    void whatComesBackHereCanBeTakenAtOnce() {
        Decision.Admitted last = spend(BUYER, ALICE);
        ask(BUYER, ALICE);
        limiter.refund(last);
        assertThat(ask(BUYER, ALICE).admitted()).isTrue();
        ask(BUYER, ALICE);
        limiter.reset(BUYER, ALICE);
        spend(BUYER, ALICE);
        ask(BUYER, ALICE);
        limiter.charge(BUYER, ALICE, 1);
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(4_000_000);
    }

    @Test
    void aCallThatFailsMayHaveBeenExecuted() {
        spend(BUYER, ALICE);
        ask(BUYER, ALICE);
        List<Check> checks = List.of(Check.of(BUYER, ALICE), Check.of(named("gone"), ALICE));
        FixedWindow.Snapshot one = new FixedWindow.Snapshot(true, 0, 1);
        Receipt gone = new Receipt(checks, List.of(one, one), 0);
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> limiter.refund(gone),
                () -> limiter.answer(new Ask.GiveBack(gone, Check.of(named("gone"), ALICE))),
                () -> limiter.acquireEach(checks.stream().map(CheckGroup::of).toList()))) {
            ask(BUYER, ALICE);
            assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
            assertThat(asked(() -> ask(BUYER, ALICE))).isOne();
        }
    }

    @Test
    void whatWasDecidedBeforeItCameBackIsNotRemembered() {
        Decision.Admitted last = spend(BUYER, ALICE);
        meanwhile = () -> limiter.refund(last);
        assertThat(ask(BUYER, ALICE).admitted()).isFalse();
        assertThat(ask(BUYER, ALICE).admitted()).isTrue();
        meanwhile = () -> limiter.reset(BUYER, ALICE);
        assertThat(ask(BUYER, ALICE).admitted()).isFalse();
        spend(BUYER, ALICE);
        meanwhile = () -> limiter.charge(BUYER, ALICE, 1);
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(2_000_000);
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(4_000_000);
    }

    @Test
    void whatIsChargedWithOtherNumbersMeanwhileMakesItOutdatedToo() {
        spend(BUYER, ALICE);
        meanwhile = () -> assertThat(limiter.acquire(BUYER.withBurst(10), ALICE).admitted())
                .isTrue();
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(2_000_000);
        assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(4_000_000);
    }

    @Test
    void aRaisedLimitMeanwhileIsNotRejectedWhenTheStoreAdmits() {
        Policy slow = Policy.of("slow", TOKEN_BUCKET, 1, Duration.ofSeconds(2))
                .withBurst(10)
                .withRefill(Refill.INTERVAL);
        Policy fast = Policy.of("slow", TOKEN_BUCKET, 10, Duration.ofSeconds(2))
                .withBurst(20)
                .withRefill(Refill.INTERVAL);
        spend(slow, ALICE);
        limiter.charge(slow, ALICE, 5);
        meanwhile = () -> assertThat(limiter.acquire(fast, ALICE).admitted()).isTrue();
        assertThat(ask(slow, ALICE).admitted()).isFalse();
        nanos += 5 * SECOND;
        assertThat(store.peek(CheckGroup.of(Check.of(slow, ALICE))).get(0).admitted())
                .isTrue();
        assertThat(ask(slow, ALICE).admitted()).isTrue();
    }

    @Test
    void whatIsChargedWithOtherNumbersByACallThatFailsMakesItOutdated() {
        Check more = Check.of(BUYER.withBurst(10), ALICE);
        for (CheckGroup group : List.of(
                CheckGroup.of(more),
                CheckGroup.of(more).asRefundable(),
                CheckGroup.of(Check.of(named("seller"), ALICE), more))) {
            limiter.reset(BUYER, ALICE);
            spend(BUYER, ALICE);
            ask(BUYER, ALICE);
            meanwhile = () -> {
                throw new StoreUnavailableException("no answer came in time", null);
            };
            assertThatThrownBy(() -> limiter.acquire(group)).isInstanceOf(StoreUnavailableException.class);
            assertThat(ask(BUYER, ALICE).retryAfterMicros()).isEqualTo(4_000_000);
        }
    }

    @Test
    void aGroupWhoseCallFailsMakesTheRejectionsOfAllItsChecksOutdated() {
        CheckGroup gone = CheckGroup.of(Check.of(named("gone"), ALICE), Check.of(BUYER.withBurst(8), ALICE));
        CheckGroup other = CheckGroup.of(Check.of(named("seller"), ALICE));
        spend(BUYER, ALICE);
        for (ThrowingCallable fails : List.<ThrowingCallable>of(
                () -> limiter.acquire(gone), () -> limiter.acquireEach(List.of(other, gone)))) {
            ask(BUYER, ALICE);
            assertThatThrownBy(fails).isInstanceOf(StoreUnavailableException.class);
            assertThat(asked(() -> ask(BUYER, ALICE))).isOne();
        }
    }

    @Test
    void aCacheThatIsClearedHasForgottenAllAndWhatIsUnderWay() {
        PartitionKey bob = PartitionKey.of("user", "bob");
        spend(BUYER, ALICE);
        spend(BUYER, bob);
        for (int time = 0; time < 3; time++) {
            ask(BUYER, ALICE);
            ask(BUYER, bob);
            rejections.clear();
            assertThat(asked(() -> ask(BUYER, ALICE))).isOne();
            meanwhile = rejections::clear;
            assertThat(asked(() -> ask(BUYER, bob))).isOne();
            assertThat(asked(() -> ask(BUYER, bob))).isOne();
        }
    }

    @Test
    void aRowHasRoomForAFewPartitionsAndDrivesOneOutForAnother() {
        Policy slow = Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(1);
        List<PartitionKey> some = sharingARow(RejectionCache.ROW + 1);
        List<CheckResult> results = new ArrayList<>();
        for (PartitionKey key : some) {
            limiter.acquire(slow, key);
        }
        for (PartitionKey key : some) {
            results.add(ask(slow, key));
        }
        int calls = 0;
        for (int i = 0; i < some.size(); i++) {
            CheckResult before = results.get(i);
            PartitionKey key = some.get(i);
            calls += asked(() -> assertThat(ask(slow, key)).isEqualTo(before));
        }
        assertThat(calls).isBetween(1, 2);
    }

    @Test
    void whatNoLongerHoldsMakesRoom() {
        Policy slow = Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(1);
        List<PartitionKey> some = sharingARow(2 * RejectionCache.ROW);
        for (int half = 0; half < 2; half++) {
            List<PartitionKey> mine = some.subList(half * RejectionCache.ROW, (half + 1) * RejectionCache.ROW);
            for (PartitionKey key : mine) {
                limiter.acquire(slow, key);
                ask(slow, key);
            }
            assertThat(asked(() -> mine.forEach(key -> ask(slow, key)))).isZero();
            nanos += 2 * SECOND;
        }
    }

    @Test
    void anAdmissionLeavesAloneWhatSharesItsRow() {
        List<PartitionKey> two = sharingARow(2);
        spend(BUYER, two.get(0));
        ask(BUYER, two.get(0));
        assertThat(limiter.acquire(BUYER, two.get(1)).admitted()).isTrue();
        assertThat(asked(() -> ask(BUYER, two.get(0)))).isZero();
    }

    @Test
    void longKeysAreNotKept() {
        int named = "4:user256:".length();
        PartitionKey kept = PartitionKey.of("user", "x".repeat(RejectionCache.LONGEST_KEY - named));
        PartitionKey longer = PartitionKey.of("user", "x".repeat(RejectionCache.LONGEST_KEY - named + 1));
        assertThat(kept.text()).hasSize(RejectionCache.LONGEST_KEY);
        for (PartitionKey key : List.of(kept, longer)) {
            spend(BUYER, key);
            ask(BUYER, key);
        }
        assertThat(asked(() -> ask(BUYER, kept))).isZero();
        assertThat(asked(() -> ask(BUYER, longer))).isOne();
    }

    /**
     * It is true of one process only, or of nothing, and the store may admit the next request.
     */
    @Test
    void aRejectionThatIsNotTheStoresIsNotRemembered() {
        for (boolean fallback : new boolean[] {false, true}) {
            CheckResult said =
                    new CheckResult(BUYER, false, 0, BUYER.capacity(), 0, 2_000_000, 2_000_000, 10_000_000, fallback);
            RateLimiter stubborn = new Forwarding(store) {
                @Override
                public void about(String call, List<CheckGroup> groups) {
                    calls++;
                }

                @Override
                public <A> A answer(Ask<A> ask) {
                    super.answer(ask);
                    return ask.is(new Decision.Rejected(List.of(said), 1_700_000_100_000_000L));
                }
            };
            RateLimiter remembering = new RejectionCachingRateLimiter(stubborn, new RejectionCache(), () -> nanos);
            remembering.acquire(BUYER, ALICE);
            assertThat(asked(() -> remembering.acquire(BUYER, ALICE)) > 0)
                    .as("asked again after a rejection that is %s", fallback ? "a fallback" : "the store's")
                    .isEqualTo(fallback);
        }
    }

    private Decision.Admitted spend(Policy policy, PartitionKey key) {
        Decision.Admitted last = null;
        while (limiter.acquire(CheckGroup.of(Check.of(policy, key)).asRefundable())
                instanceof Decision.Admitted admission) {
            last = admission;
        }
        return last;
    }

    private CheckResult ask(Policy policy, PartitionKey key) {
        return limiter.acquire(policy, key).results().get(0);
    }

    private int asked(Runnable asking) {
        int before = calls;
        asking.run();
        return calls - before;
    }

    private static Policy named(String name) {
        return Policy.of(name, GCRA, 5, Duration.ofSeconds(10)).withBurst(5);
    }

    private static CheckResult rejected(Policy policy, long retry, long next, long reset) {
        return new CheckResult(policy, false, 0, retry, next, reset);
    }

    private static List<PartitionKey> sharingARow(int many) {
        List<PartitionKey> keys = new ArrayList<>();
        for (int i = 0; keys.size() < many; i++) {
            PartitionKey key = PartitionKey.of("user", "caller" + i);
            if (keys.isEmpty() || RejectionCache.row(BUYER, key) == RejectionCache.row(BUYER, keys.get(0))) {
                keys.add(key);
            }
        }
        return keys;
    }
}
