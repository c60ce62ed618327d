package dev.limiter.redis.internal.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
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
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.Forwarding;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The slot of a policy is the first letter of its name; the parts are decided in memory, where a
 * slot can be away.
 */
@Tag("proof")
class ClusterRateLimiterTest {
    private static final Policy A_DAY = Policy.of("a day", FIXED_WINDOW, 3, Duration.ofDays(1));
    private static final Policy A_LOG = Policy.of("a log", SLIDING_LOG, 100, Duration.ofDays(1));
    private static final Policy B_API = Policy.of("b api", GCRA, 5, Duration.ofSeconds(1));
    private static final Policy C_API = Policy.of("c api", GCRA, 9, Duration.ofSeconds(1));
    private static final Policy A_JOBS = Policy.concurrency("a jobs", 1);
    private static final Policy B_JOBS = Policy.concurrency("b jobs", 1);
    private static final Policy C_JOBS = Policy.concurrency("c jobs", 1);
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    private final List<String> calls = new ArrayList<>();

    /** When the whole decision began, as each slot is told. */
    private final List<Long> begun = new ArrayList<>();

    private final Set<Character> away = new HashSet<>();
    private final Slots slots = new Slots();
    private long nanos = -3;
    private long callNanos;
    private long awayNanos;
    private Runnable meanwhile = () -> {};
    private String failsAtEach = "";
    private final Set<Character> awayForRefunds = new HashSet<>();
    private Instant now = Instant.ofEpochSecond(1_700_000_000);
    private final ClusterRateLimiter limiter =
            new ClusterRateLimiter(slots, SlotsInMemory::slot, Timeouts.within(Duration.ofMillis(150)), () -> nanos);

    @Test
    void whatLiesInOneSlotIsOneCall() {
        assertThat(limiter.acquire(group(A_DAY, A_LOG)).admitted()).isTrue();
        assertThat(calls).containsExactly("acquire a day, a log");
    }

    /** At first nothing is known: the tightest is asked first, when the others were peeked at. */
    @Test
    void othersAreAskedSlotBySlotTheOneWithLeastLeftFirst() {
        Decision decision = limiter.acquire(group(B_API, A_LOG, C_API, A_DAY));
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.results()).extracting(CheckResult::policy).containsExactly(B_API, A_LOG, C_API, A_DAY);
        assertThat(calls)
                .containsExactly("peek b api", "peek c api", "acquire a log, a day", "acquire b api", "acquire c api");
        limiter.acquire(CheckGroup.of(Check.of(A_LOG, KEY), new Check(C_API, KEY, 7)));
        calls.clear();
        limiter.acquire(group(B_API, A_LOG, C_API, A_DAY));
        assertThat(calls).containsExactly("acquire c api", "acquire a log, a day", "acquire b api");
    }

    /** A pool for all, and a caller that may ask 60 a minute and has asked them. */
    private static final Policy A_POOL = Policy.of("a pool", FIXED_WINDOW, 50, Duration.ofHours(1));

    private static final Policy B_OWN = Policy.of("b own", FIXED_WINDOW, 60, Duration.ofMinutes(1));
    private static final CheckGroup GREEDY = CheckGroup.of(new Check(B_OWN, KEY, 50), new Check(A_POOL, KEY, 50));

    /** Others look at the pool whenever a call of the caller has ended. */
    @Test
    void aCallerWhoseOwnLimitIsSpentNeverChargesASharedOne() {
        limiter.charge(B_OWN, KEY, 60);
        meanwhile = () -> assertThat(
                        slots.peek(CheckGroup.of(Check.of(A_POOL, KEY))).get(0).used())
                .isZero();
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.acquire(GREEDY).admitted()).isFalse();
            calls.clear();
        }
        limiter.acquire(GREEDY);
        assertThat(calls.stream().filter(call -> !call.equals("peek a pool"))).containsExactly("acquire b own");
        meanwhile = () -> {};
        limiter.reset(B_OWN, KEY);
        assertThat(limiter.acquire(GREEDY).admitted()).isTrue();
    }

    /** A unit of the pool has come back since this process heard of it. */
    @Test
    void ofTwoThatLackUnitsTheOneThatLacksMoreIsAskedFirst() {
        limiter.charge(B_OWN, KEY, 60);
        assertThat(limiter.acquire(GREEDY).admitted()).isFalse();
        Decision other = limiter.acquire(group(C_API, A_POOL));
        limiter.refund((Decision.Admitted) other);
        calls.clear();
        assertThat(limiter.acquire(GREEDY).admitted()).isFalse();
        assertThat(calls).containsExactly("acquire b own", "peek a pool");
    }

    @Test
    void oneThatLacksAFifthIsAskedBeforeOneThatIsUnknownAndOneThatHasFewerUnitsAndNeedsLess() {
        limiter.acquire(CheckGroup.of(new Check(B_OWN, KEY, 20), Check.of(C_API, KEY)));
        calls.clear();
        assertThat(limiter.acquire(GREEDY).admitted()).isFalse();
        CheckGroup other = CheckGroup.of(Check.of(C_API, KEY), new Check(B_OWN, KEY, 50));
        assertThat(limiter.acquire(other).admitted()).isFalse();
        assertThat(calls).containsExactly("acquire b own", "peek a pool", "acquire b own", "peek c api");
    }

    @Test
    void aLimitThatIsAwayBesideAShadowStopsTheDecision() {
        Policy loose = Policy.of("a loose", GCRA, 1_000, Duration.ofSeconds(1));
        CheckGroup asked = group(
                C_API,
                loose,
                Policy.of("a shadow", GCRA, 5, Duration.ofSeconds(1)).asShadow());
        limiter.acquire(asked);
        away.add('a');
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(asked));
        assertThat(limiter.peek(C_API, KEY).used()).as("given back").isOne();
    }

    /** The first request finds out; all others fail before they charge anything. */
    @Test
    void aCallerWhoseOwnSlotIsAwayNeverChargesASharedOne() {
        limiter.acquire(CheckGroup.of(new Check(B_OWN, KEY, 10), new Check(A_POOL, KEY, 10)));
        limiter.reset(A_POOL, KEY);
        away.add('b');
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(GREEDY));
        meanwhile = () -> assertThat(
                        slots.peek(CheckGroup.of(Check.of(A_POOL, KEY))).get(0).used())
                .isZero();
        for (int i = 0; i < 10; i++) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(GREEDY));
        }
    }

    /**
     * Another process spends the caller's own limit. What this process knows is out of date
     * once, and the pool is charged for a moment; its rejections of that time are not cached.
     */
    @Test
    void aRejectionThatMayBeOverIsNotCached() {
        RejectionCachingRateLimiter caching =
                new RejectionCachingRateLimiter(limiter, new RejectionCache(), () -> nanos);
        assertThat(caching.acquire(CheckGroup.of(new Check(B_OWN, KEY, 1), new Check(A_POOL, KEY, 1)))
                        .admitted())
                .isTrue();
        slots.charge(A_POOL, KEY, 49);
        assertThat(caching.acquire(A_POOL, KEY).admitted()).isFalse();
        slots.reset(A_POOL, KEY); // as when a later slot has rejected
        assertThat(caching.acquire(A_POOL, KEY).admitted()).isTrue();
    }

    private static Policy anyPolicy(Dice dice) {
        String name = dice.oneOf("a", "b", "c", "d") + " " + dice.between(1, 99);
        Duration window = dice.oneOf(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1));
        Policy policy = Policy.of(name, dice.oneOf(FIXED_WINDOW, GCRA), dice.between(1, 9), window);
        return dice.chance(40) ? policy.asShadow() : policy;
    }

    /** Units a second that a slot admits at most, by those of its policies that can reject. */
    private static double rate(List<Policy> slot) {
        return slot.stream()
                .filter(policy -> policy.rejects())
                .mapToDouble(policy -> policy.limit() / (double) policy.window().toSeconds())
                .min()
                .orElse(Double.MAX_VALUE); // shadows alone come last
    }

    /** What a slot has left for one more request after the first. */
    private static double left(List<Policy> slot) {
        return slot.stream()
                .filter(policy -> policy.rejects())
                .mapToDouble(policy -> Math.max(0, policy.limit() - 1))
                .min()
                .orElse(Double.MAX_VALUE);
    }

    /** A shadow has no say in the order either. */
    @Test
    void anyGroupAsksTheSlotThatHasLeastLeftFirst() {
        Property.forAll((Dice dice) -> dice.list(2, 6, ClusterRateLimiterTest::anyPolicy))
                .tries(3_000)
                .check(policies -> {
                    Map<Character, List<Policy>> bySlot = policies.stream()
                            .collect(Collectors.groupingBy(
                                    policy -> policy.name().charAt(0)));
                    Discard.unless(bySlot.size() > 1
                            && policies.stream().map(Policy::name).distinct().count() == policies.size());
                    Comparator<List<Policy>> byRate = Comparator.comparingDouble(ClusterRateLimiterTest::rate);
                    List<String> expected = bySlot.values().stream()
                            .sorted(Comparator.comparingDouble(ClusterRateLimiterTest::left)
                                    .thenComparing(byRate)
                                    .thenComparing(slot -> slot.get(0).name()))
                            .map(slot ->
                                    "acquire " + slot.stream().map(Policy::name).collect(Collectors.joining(", ")))
                            .toList();
                    ClusterRateLimiter fresh = new ClusterRateLimiter(
                            new Slots(), SlotsInMemory::slot, Timeouts.within(Duration.ofMillis(150)), () -> nanos);
                    Decision first = fresh.acquire(group(policies.toArray(Policy[]::new)));
                    assertThat(first.admitted()).isTrue();
                    assertThat(first.results()).extracting(CheckResult::policy).isEqualTo(policies);
                    calls.clear();
                    Decision second = fresh.acquire(group(policies.toArray(Policy[]::new)));
                    List<String> acquired = calls.stream()
                            .filter(call -> call.startsWith("acquire"))
                            .toList();
                    assertThat(acquired).isEqualTo(expected.subList(0, acquired.size()));
                    assertThat(second.admitted()).isEqualTo(acquired.size() == expected.size());
                });
    }

    /**
     * The slot has room as far as the limiter knows, and none in truth, since another process
     * took it.
     */
    private void spentUnheard(Policy policy) {
        limiter.acquire(group(A_DAY, B_API, C_API));
        for (Policy each : List.of(A_DAY, B_API, C_API)) {
            slots.reset(each, KEY);
        }
        slots.charge(policy, KEY, policy.limit());
        calls.clear();
        begun.clear();
    }

    @Test
    void aRejectionGivesBackWhatOthersTookAndTellsWhatTheyHave() {
        spentUnheard(C_API);
        Decision rejected = limiter.acquire(group(B_API, A_DAY, C_API));
        assertThat(rejected.admitted()).isFalse();
        assertThat(rejected.results()).extracting(CheckResult::remaining).containsExactly(5L, 3L, 0L);
        assertThat(rejected.results()).extracting(CheckResult::admitted).containsExactly(true, true, false);
        assertThat(limiter.peek(group(A_DAY, B_API)))
                .extracting(CheckResult::remaining)
                .containsExactly(3L, 5L);
    }

    @Test
    void aSlotThatIsAwayFailsTheDecisionAndWhatOthersTookIsGivenBack() {
        away.add('b');
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(group(A_DAY, B_API)));
        assertThat(limiter.peek(A_DAY, KEY).remaining()).isEqualTo(3);
    }

    /** 150 ms for all slots together: a fourth call of 40 ms could not be awaited any more. */
    @Test
    void theDeadlineIsOneForAllSlots() {
        Policy d = Policy.of("d api", GCRA, 20, Duration.ofSeconds(1));
        limiter.acquire(group(A_LOG, B_API, C_API, d));
        callNanos = 40_000_000;
        assertThat(limiter.acquire(group(A_LOG, B_API, C_API)).admitted()).isTrue();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(group(A_LOG, B_API, C_API, d)))
                .withMessageContaining("no time is left");
        assertThat(limiter.peek(A_LOG, KEY).remaining()).isEqualTo(98);
    }

    /** A node far away is peeked at once at most, and its caller is decided all the same. */
    @Test
    void peeksBeforeADecisionLeaveTimeForIt() {
        callNanos = 30_000_000;
        assertThat(limiter.acquire(group(A_DAY, B_API, C_API)).admitted()).isTrue();
        assertThat(calls).containsExactly("peek b api", "acquire a day", "acquire c api", "acquire b api");
    }

    /** A slot that is asked late has what is left, and no deadline of its own. */
    @Test
    void eachSlotIsToldWhenTheWholeDecisionBegan() {
        callNanos = 20_000_000;
        long began = nanos;
        limiter.acquire(group(A_DAY, B_API, C_API));
        assertThat(begun).containsExactly(began, began, began, began);
        spentUnheard(C_API);
        long rejecting = nanos;
        assertThat(limiter.acquire(group(A_DAY, B_API, C_API)).admitted()).isFalse();
        assertThat(begun).isNotEmpty().containsOnly(rejecting);
        begun.clear();
        long looking = nanos;
        limiter.peek(group(A_DAY, B_API));
        assertThat(begun).containsExactly(looking, looking);
    }

    /** The results of the other slots do not justify a wait beyond the deadline. */
    @Test
    void aLateRejectionAsksNoFurtherSlot() {
        spentUnheard(B_API);
        callNanos = 60_000_000;
        Decision rejected = limiter.acquire(group(A_DAY, B_API, C_API));
        assertThat(rejected.results()).extracting(CheckResult::fallback).containsExactly(true, false, true);
        assertThat(calls).noneMatch(call -> call.startsWith("peek"));
    }

    @Test
    void aRejectionStaysOneWhenWhatWasTakenCannotBeGivenBack() {
        spentUnheard(C_API);
        awayForRefunds.add('a');
        assertThat(limiter.acquire(group(A_DAY, C_API))).isInstanceOf(Decision.Rejected.class);
        awayForRefunds.clear();
        assertThat(limiter.peek(A_DAY, KEY).remaining()).isEqualTo(2);
    }

    /** A rejected caller is told so, also when the other slots give no answer. */
    @Test
    void aRejectionStaysOneWhenAnotherSlotIsAway() {
        limiter.charge(C_API, KEY, 9);
        limiter.acquire(group(A_DAY, C_API));
        away.add('b');
        Decision rejected = limiter.acquire(group(B_API, C_API));
        assertThat(rejected).isInstanceOf(Decision.Rejected.class);
        assertThat(rejected.results()).extracting(CheckResult::fallback).containsExactly(true, false);
    }

    @Test
    void aShadowOfAnotherSlotIsChargedWhenTheOthersAdmit() {
        Policy shadow = Policy.of("d shadow", GCRA, 1, Duration.ofDays(1)).asShadow();
        assertThat(limiter.acquire(group(shadow, C_API)).admitted()).isTrue();
        assertThat(limiter.peek(shadow, KEY).remaining()).isZero();
        limiter.charge(C_API, KEY, 9);
        calls.clear();
        assertThat(limiter.acquire(group(shadow, C_API)).admitted()).isFalse();
        assertThat(calls).containsExactly("acquire c api", "peek d shadow");
    }

    /**
     * A shadow never makes a decision another: not when it rejects, and not when it cannot be
     * asked.
     */
    @Test
    void aShadowThatIsAwayDoesNotStopTheDecision() {
        Policy shadow = Policy.of("d shadow", GCRA, 1, Duration.ofDays(1)).asShadow();
        away.add('d');
        Decision decision = limiter.acquire(group(shadow, B_API));
        assertThat(decision.results()).extracting(CheckResult::fallback).containsExactly(true, false);
        assertThat(limiter.peek(B_API, KEY).remaining()).isEqualTo(4);
        assertThat(limiter.refund((Decision.Admitted) decision)).isTrue();
        assertThat(limiter.peek(B_API, KEY).remaining()).isEqualTo(5);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(group(
                        shadow, Policy.of("e", GCRA, 1, Duration.ofDays(1)).asShadow())));
    }

    /**
     * A peek returns the store's figures or fails. It never returns a full quota without asking.
     */
    @ParameterizedTest
    @ValueSource(chars = {'a', 'b', 'c'})
    void aPeekFailsWhenOneOfItsSlotsIsAway(char slot) {
        CheckGroup all = group(A_DAY, B_API, C_API);
        away.add(slot);
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.peek(all));
        for (Policy policy : List.of(A_DAY, B_API, C_API)) {
            if (policy.name().charAt(0) == slot) {
                assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.peek(policy, KEY));
            } else {
                assertThat(limiter.peek(policy, KEY).fallback()).isFalse();
            }
        }
        away.clear();
        assertThat(limiter.peek(all)).extracting(CheckResult::fallback).containsOnly(false);
    }

    @Test
    void aSettlementReachesItsSlotAloneAndOnce() {
        CheckGroup group = CheckGroup.of(new Check(A_LOG, KEY, 10), new Check(B_API, KEY, 5));
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(group);
        assertThat(limiter.settle(admission, A_LOG, 4).remaining()).isEqualTo(96);
        assertThat(limiter.settle(admission, A_LOG, 1).remaining()).isEqualTo(96);
        assertThat(limiter.peek(B_API, KEY).remaining()).isZero();
        limiter.refund(admission);
        assertThat(limiter.peek(A_LOG, KEY).remaining()).isEqualTo(96);
        assertThat(limiter.peek(B_API, KEY).remaining()).isEqualTo(5);
    }

    @Test
    void aRefundReachesEverySlotOnce() {
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(group(A_DAY, B_API, C_API));
        assertThat(limiter.refund(admission)).isTrue();
        assertThat(limiter.peek(group(A_DAY, B_API, C_API)))
                .extracting(CheckResult::remaining)
                .containsExactly(3L, 5L, 9L);
        assertThat(limiter.refund(admission)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(chars = {'a', 'b', 'c'})
    void aSlotThatIsAwayKeepsNoOtherFromARefund(char slot) {
        CheckGroup all = group(A_DAY, B_API, C_API);
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(all);
        away.add(slot);
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.refund(admission));
        away.clear();
        assertThat(limiter.peek(all))
                .allSatisfy(answer -> assertThat(answer.remaining())
                        .as(answer.policy().name())
                        .isEqualTo(answer.policy().capacity()
                                - (answer.policy().name().charAt(0) == slot ? 1 : 0)));
    }

    /** The last of four slots rejects; of the three that were charged one cannot be told. */
    @ParameterizedTest
    @ValueSource(chars = {'a', 'b', 'c'})
    void aSlotThatIsAwayKeepsNoOtherFromGettingBackWhatARejectionTook(char slot) {
        Policy last = Policy.of("d api", GCRA, 20, Duration.ofSeconds(1));
        CheckGroup all = group(A_DAY, B_API, C_API);
        Decision.Admitted heard = (Decision.Admitted) limiter.acquire(group(A_DAY, B_API, C_API, last));
        limiter.refund(heard);
        slots.charge(last, KEY, 20);
        awayForRefunds.add(slot);
        assertThat(limiter.acquire(group(A_DAY, B_API, C_API, last)).admitted()).isFalse();
        assertThat(limiter.peek(all))
                .allSatisfy(answer -> assertThat(answer.remaining())
                        .as(answer.policy().name())
                        .isEqualTo(answer.policy().capacity()
                                - (answer.policy().name().charAt(0) == slot ? 1 : 0)));
    }

    /**
     * Three jobs, each with a lease in a slot of its own: the two that can be reached must not
     * run out.
     */
    @ParameterizedTest
    @ValueSource(chars = {'a', 'b', 'c'})
    void aSlotThatIsAwayKeepsNoOtherFromRenewingItsLeases(char slot) {
        List<CheckGroup> jobs = List.of(job("one", A_JOBS), job("one", B_JOBS), job("one", C_JOBS));
        limiter.acquireEach(jobs);
        seconds(25);
        away.add(slot);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(jobs))
                .satisfies(failure -> {
                    for (int i = 0; i < 3; i++) {
                        assertThat(failure.decision(i).map(Decision::admitted))
                                .isEqualTo("abc".charAt(i) == slot ? Optional.empty() : Optional.of(true));
                    }
                });
        seconds(25);
        away.clear();
        for (Policy policy : List.of(A_JOBS, B_JOBS, C_JOBS)) {
            assertThat(limiter.acquire(job("two", policy)).admitted())
                    .as("a second job gets the place of %s", policy.name())
                    .isEqualTo(policy.name().charAt(0) == slot);
        }
    }

    /** One job with two leases, of which one can be renewed. */
    @ParameterizedTest
    @ValueSource(chars = {'a', 'b'})
    void aJobWithLeasesInTwoSlotsKeepsTheOneThatCanBeReached(char slot) {
        CheckGroup both = job("one", A_JOBS, B_JOBS);
        limiter.acquire(both);
        seconds(25);
        away.add(slot);
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquireEach(List.of(both)));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquireEach(List.of(both)));
        seconds(25);
        away.clear();
        for (Policy policy : List.of(A_JOBS, B_JOBS)) {
            assertThat(limiter.acquire(job("two", policy)).admitted())
                    .as("a second job gets the place of %s", policy.name())
                    .isEqualTo(policy.name().charAt(0) == slot);
        }
    }

    /**
     * Each silent slot takes 40 ms; the slot that answers is asked before those that were asked
     * already.
     */
    @Test
    void renewalsHaveTheDeadlineOfTheirCall() {
        awayNanos = 40_000_000;
        CheckGroup jobs = job("one", A_JOBS, B_JOBS, C_JOBS, Policy.concurrency("d jobs", 1));
        limiter.acquire(jobs);
        begun.clear();
        seconds(25);
        away.addAll(Set.of('a', 'b', 'd'));
        long began = nanos;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquireEach(List.of(jobs)));
        assertThat(nanos - began).isLessThanOrEqualTo(150_000_000);
        assertThat(begun).hasSize(4).containsOnly(began);
        seconds(25);
        away.clear();
        assertThat(limiter.acquire(job("two", C_JOBS)).admitted()).isFalse();
        assertThat(limiter.acquire(job("two", B_JOBS)).admitted()).isTrue();
    }

    @Test
    void aRejectionInAnotherSlotReleasesNoLeaseOfRunningWork() {
        CheckGroup both = job("one", A_JOBS, B_JOBS);
        limiter.acquire(both);
        limiter.reset(B_JOBS, KEY);
        limiter.acquire(job("two", B_JOBS));
        seconds(25);
        assertThat(limiter.acquire(both).admitted()).isFalse();
        seconds(25);
        assertThat(limiter.acquire(job("two", A_JOBS)).admitted()).isFalse();
    }

    /** Nothing runs on a lease that was new: it is given back. */
    @Test
    void aLeaseThatWasNewIsGivenBackWhenAnotherSlotIsAwayOrRejects() {
        CheckGroup both = job("one", A_JOBS, B_JOBS);
        away.add('b');
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(both));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquireEach(List.of(both)));
        assertThat(limiter.peek(A_JOBS, KEY).remaining()).isOne();
        away.clear();
        limiter.acquire(job("two", B_JOBS));
        assertThat(limiter.acquire(both).admitted()).isFalse();
        assertThat(limiter.peek(A_JOBS, KEY).remaining()).isOne();
    }

    @Test
    void groupsOfOneSlotShareACallAndKeepTheirOrder() {
        limiter.charge(C_API, KEY, 8);
        List<Decision> decisions = limiter.acquireEach(
                List.of(group(C_API), group(A_DAY), group(C_API), group(A_DAY, C_API), group(A_DAY)));
        assertThat(decisions).extracting(Decision::admitted).containsExactly(true, true, false, false, true);
        assertThat(limiter.peek(A_DAY, KEY).remaining()).isOne();
        assertThat(calls.stream().filter(call -> call.startsWith("each")))
                .containsExactly("each c api; c api", "each a day", "each a day");
    }

    /** As of a group whose periods Redis refused twice; the other one was charged. */
    @Test
    void aFailureOfOneSlotKeepsTheDecisionsThatComeWithIt() {
        failsAtEach = "a day";
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(List.of(group(A_LOG), group(C_API), group(A_DAY))))
                .satisfies(failure -> {
                    assertThat(failure.decision(0)).isPresent();
                    assertThat(failure.decision(1)).isPresent();
                    assertThat(failure.decision(2)).isEmpty();
                });
    }

    private static CheckGroup job(String name, Policy... leases) {
        return new CheckGroup(Stream.of(leases)
                .map(policy -> Check.ofLease(policy, KEY, name))
                .toList());
    }

    private void seconds(long seconds) {
        now = now.plusSeconds(seconds);
    }

    private static CheckGroup group(Policy... policies) {
        List<Check> checks = new ArrayList<>();
        for (Policy policy : policies) {
            checks.add(Check.of(policy, KEY));
        }
        return new CheckGroup(checks);
    }

    /**
     * Behaves like a cluster: no call reaches two slots, and a call to a slot that is away
     * fails.
     */
    private final class Slots extends SlotsInMemory {
        private final RateLimiter limiter;

        Slots() {
            this(new LocalRateLimiter(() -> now));
        }

        private Slots(RateLimiter limiter) {
            super(new Forwarding(limiter) {
                @Override
                public void about(String call, List<CheckGroup> groups) {
                    isAsked(call, groups);
                }
            });
            this.limiter = limiter;
        }

        @Override
        Decision acquire(CheckGroup group, long began) {
            begun.add(began);
            Decision decision = super.acquire(group, began);
            meanwhile.run();
            return decision;
        }

        @Override
        public <A> A answer(Ask<A> ask) {
            if (failsAtEach.isEmpty() || !(ask instanceof Ask.AcquireEach each)) {
                return super.answer(ask);
            }
            return ask.is(GroupDecisions.oneByOne(each.groups(), group -> {
                if (group.checks().get(0).policy().name().equals(failsAtEach)) {
                    throw new StoreUnavailableException("one is undecided", null);
                }
                return limiter.acquire(group);
            }));
        }

        @Override
        List<CheckResult> peek(CheckGroup group, long began) {
            begun.add(began);
            return super.peek(group, began);
        }
    }

    private void isAsked(String call, List<CheckGroup> groups) {
        Set<Character> touched = new HashSet<>();
        List<String> names = new ArrayList<>();
        for (CheckGroup group : groups) {
            List<String> policies =
                    group.checks().stream().map(each -> each.policy().name()).toList();
            policies.forEach(name -> touched.add(name.charAt(0)));
            names.add(String.join(", ", policies));
        }
        assertThat(touched).hasSizeLessThanOrEqualTo(1);
        if (touched.isEmpty()) {
            return; // nothing is given back
        }
        if (away.containsAll(touched) || call.equals("refund") && awayForRefunds.containsAll(touched)) {
            nanos += awayNanos;
            throw new StoreUnavailableException("away", null);
        }
        calls.add(call + " " + String.join("; ", names));
        nanos += callNanos;
    }
}
