package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.CONFIGURED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.SILENT;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.BlockingAcquire;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that comes and goes, on a clock that stands until it is moved. */
class FallbackRateLimiterTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy FIVE = Policy.of("five", SLIDING_LOG, 5, Duration.ofSeconds(10));
    private static final Policy SHOW = Policy.of("show", SLIDING_LOG, 100, Duration.ofMinutes(10));

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
    private final FollowingStore memory = new FollowingStore(clock);
    private final LocalRateLimiter mirror = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);
    private final FallbackRateLimiter limiter = limiter(LOCAL, 1);

    private FallbackRateLimiter limiter(OnStoreFailure configured, int nodes) {
        return new FallbackRateLimiter(store, configured, nodes, Signals.NONE, memory);
    }

    @ParameterizedTest
    @CsvSource({"1 day", "1 week", "1 month", "1 quarter", "1 year"})
    void aPeriodOfTheCalendarIsDividedAmongInstances(String period) {
        Policy plan = Policy.of("plan", 100, CalendarPeriod.parse(period));
        FallbackRateLimiter four = limiter(LOCAL, 4);
        assertThat(four.acquire(plan, ALICE).admitted()).isTrue();
        store.state = DOWN;
        for (int i = 1; i < 25; i++) {
            assertThat(four.acquire(plan, ALICE).admitted()).isTrue();
        }
        assertThat(four.acquire(plan, ALICE).admitted()).isFalse();
    }

    /** The clock of this process is a minute ahead; the month ends by that of the store. */
    @Test
    void whatOthersSpentInAMonthIsNotSpentInTheNext() {
        Policy plan = Policy.of("plan", 5, CalendarPeriod.parse("1 month"));
        VirtualClock behind = new VirtualClock();
        FailingStore late = new FailingStore(new LocalRateLimiter(behind));
        FallbackRateLimiter ahead = new FallbackRateLimiter(late, LOCAL, 1, Signals.NONE, memory);
        long month = plan.period().endMicros(memory.nowMicros());
        behind.advance(month - 50_000_000 - behind.micros());
        clock.advance(month + 10_000_000 - clock.micros());
        late.charge(plan, ALICE, 5);
        assertThat(ahead.acquire(plan, ALICE).admitted()).isFalse();
        late.state = DOWN;
        assertThat(ahead.acquire(plan, ALICE).admitted()).isFalse();
        clock.advance(50_000_000);
        assertThat(ahead.acquire(plan, ALICE).admitted()).isTrue();
    }

    @Test
    void whatIsSpentInTheStoreIsSpentWhenItFails() {
        assertThat(drain(FIVE)).isEqualTo(5);
        seconds(1);
        store.state = DOWN;
        Decision sixth = limiter.acquire(FIVE, ALICE);
        assertThat(sixth.admitted()).isFalse();
        assertThat(sixth.fallback()).isTrue();
        assertThat(((Decision.Rejected) sixth).retryAfter()).isEqualTo(Duration.ofSeconds(9));
        seconds(9);
        assertThat(drain(FIVE)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void aFlipHandsOutNoFreshQuotaInEitherDirection(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 5, Duration.ofSeconds(10), Duration.ofSeconds(10))
                : Policy.of("p", algorithm, 5, Duration.ofSeconds(10));
        long capacity = policy.capacity();
        assertThat(drain(policy)).isEqualTo(capacity);
        store.state = DOWN;
        assertThat(drain(policy)).isZero();
        seconds(30);
        assertThat(drain(policy)).isEqualTo(capacity);
        store.state = UP;
        assertThat(drain(policy)).isZero();
        assertThat(store.inside.peek(policy, ALICE).remaining()).isEqualTo(capacity);
        seconds(30);
        assertThat(drain(policy)).isEqualTo(capacity);
        assertThat(store.inside.peek(policy, ALICE).remaining()).isZero();
    }

    /**
     * A burst of one is back after 0.1 s, but units admitted without the store matter for a
     * window.
     */
    @Test
    void bothMustAdmitForAWindowHoweverSmallTheBurst() {
        Policy brief = Policy.of("brief", GCRA, 100, Duration.ofSeconds(10)).withBurst(1);
        store.state = DOWN;
        assertThat(drain(brief)).isOne();
        store.state = UP;
        seconds(9);
        assertThat(mirror.acquire(brief, ALICE).admitted()).isTrue();
        assertThat(limiter.acquire(brief, ALICE).admitted()).isFalse();
        seconds(1);
        assertThat(mirror.acquire(brief, ALICE).admitted()).isTrue();
        assertThat(limiter.acquire(brief, ALICE).admitted()).isTrue();
    }

    /** Another tier of the same limit has the same history. */
    @Test
    void allTiersOfALimitRecoverTogether() {
        Policy seven = Policy.of("five", SLIDING_LOG, 7, Duration.ofSeconds(10));
        assertThat(limiter.peek(seven, ALICE).remaining()).isEqualTo(7);
        store.state = DOWN;
        assertThat(drain(FIVE)).isEqualTo(5);
        store.state = UP;
        assertThat(drain(seven)).isEqualTo(2);
    }

    /** The recovery of a tier of a second does not end that of a tier of an hour. */
    @Test
    void aTierWithAShorterWindowDoesNotEndTheRecoveryOfALongerOne() {
        Policy brief = Policy.of("five", SLIDING_LOG, 5, Duration.ofSeconds(1));
        Policy hour = Policy.of("five", SLIDING_LOG, 5, Duration.ofHours(1));
        store.state = DOWN;
        assertThat(drain(hour)).isEqualTo(5);
        assertThat(limiter.acquire(brief, ALICE).admitted()).isTrue();
        store.state = UP;
        seconds(60);
        assertThat(drain(hour)).isZero();
        seconds(3_540);
        assertThat(drain(hour)).isEqualTo(5);
    }

    @Test
    void anUnchargedAdmissionIsNotRecordedInTheMirror() {
        store.state = DOWN;
        FallbackRateLimiter storeWithGaps =
                new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(clock));
        FallbackRateLimiter outer = new FallbackRateLimiter(storeWithGaps, LOCAL, 1, Signals.NONE, memory);
        assertThat(outer.acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(memory.size()).isZero();
    }

    @Test
    void aLimitThatWasReachedNeverAsksTheFallback() {
        for (int i = 0; i < 5; i++) {
            store.inside.acquire(FIVE, ALICE); // by another process
        }
        Decision decision = limiter.acquire(FIVE, ALICE);
        assertThat(decision.admitted()).isFalse();
        assertThat(decision.fallback()).isFalse();
    }

    @Test
    void theMirrorIsNotAskedWhileTheStoreAnswers() {
        for (int i = 0; i < 5; i++) {
            mirror.acquire(FIVE, ALICE); // as if the clocks differed
        }
        Decision decision = limiter.acquire(FIVE, ALICE);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.results().get(0).remaining()).isEqualTo(4);
        assertThat(decision.fallback()).isFalse();
    }

    @Test
    void afterARecoveryBothMustAdmitForOneWindow() {
        store.state = DOWN;
        assertThat(drain(FIVE)).isEqualTo(5);
        seconds(5);
        store.state = UP;
        int calls = store.calls;
        Decision both = limiter.acquire(FIVE, ALICE);
        assertThat(both.admitted()).isFalse();
        assertThat(both.fallback()).isTrue();
        assertThat(store.calls).as("the store is not asked").isEqualTo(calls);
        seconds(5);
        assertThat(drain(FIVE)).isEqualTo(5);
    }

    @Test
    void aRejectionByTheStoreAfterARecoveryIsTakenOutOfTheMirror() {
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        store.state = UP;
        for (int i = 0; i < 5; i++) {
            store.inside.acquire(FIVE, ALICE); // by another process
        }
        Decision rejected = limiter.acquire(FIVE, ALICE);
        assertThat(rejected.admitted()).isFalse();
        assertThat(rejected.fallback()).isFalse();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).as("as in the store").isZero();
        assertThat(mirror.peek(FIVE, ALICE).resetAfterMicros()).isEqualTo(10_000_000);
    }

    @Test
    void whatTheStoreAdmitsAfterARecoveryIsCountedOnceInEach() {
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        store.state = UP;
        assertThat(limiter.acquire(FIVE, ALICE).fallback()).isFalse();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(3);
        assertThat(store.inside.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    @Test
    void theMirrorsDecisionStandsIfTheStoreFailsAgain() {
        store.state = DOWN;
        limiter.acquire(FIVE, ALICE);
        store.state = UP;
        limiter.acquire(FIVE, ALICE);
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).fallback()).isTrue();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(2);
        assertThat(drain(FIVE)).isEqualTo(2);
    }

    @Test
    void aStoreThatHasCountedAndNotAnsweredIsOnlyEverStricter() {
        store.state = SILENT;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        store.state = UP;
        assertThat(store.inside.peek(FIVE, ALICE).remaining()).isEqualTo(4);
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
        assertThat(drain(FIVE)).isEqualTo(4);
    }

    /**
     * Of policies with windows of different lengths, only those that have not recovered ask the
     * mirror.
     */
    @Test
    void onlyThePoliciesThatHaveNotRecoveredAreAskedTwice() {
        CheckGroup group = group(FIVE, SHOW);
        store.state = DOWN;
        assertThat(limiter.acquire(group).admitted()).isTrue();
        store.state = UP;
        seconds(10);
        for (int i = 0; i < 5; i++) {
            mirror.acquire(FIVE, ALICE); // as if the clocks differed
        }
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.fallback()).isFalse();
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(98);
        store.state = DOWN;
        assertThat(limiter.acquire(group).admitted()).as("FIVE is spent here").isFalse();
        assertThat(mirror.peek(SHOW, ALICE).remaining()).as("all or nothing").isEqualTo(98);
    }

    @ParameterizedTest
    @CsvSource({
        "CLOSED, LOCAL,  unavailable",
        "CLOSED, OPEN,   unavailable",
        "OPEN,   CLOSED, unavailable",
        "LOCAL,  CLOSED, unavailable",
        "LOCAL,  OPEN,   rejected",
        "OPEN,   LOCAL,  admitted",
        "OPEN,   OPEN,   admitted",
        "LOCAL,  LOCAL,  rejected",
        "CONFIGURED, OPEN, rejected",
    })
    void closedBeatsLocalBeatsOpen(OnStoreFailure five, OnStoreFailure show, String outcome) {
        CheckGroup group = group(FIVE.whenStoreFails(five), SHOW.whenStoreFails(show));
        for (int i = 0; i < 5; i++) {
            limiter.acquire(group);
        }
        store.state = DOWN;
        if (outcome.equals("unavailable")) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(group));
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.peek(group));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> limiter.acquireEach(List.of(CheckGroup.of(Check.of(FIVE, ALICE)), group)));
            return;
        }
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isEqualTo(outcome.equals("admitted"));
        assertThat(decision.results()).allMatch(CheckResult::fallback);
        assertThat(decision.results())
                .extracting(CheckResult::policy)
                .containsExactly(
                        group.checks().get(0).policy(), group.checks().get(1).policy());
        assertThat(limiter.acquireEach(List.of(group)).get(0).admitted()).isEqualTo(decision.admitted());
        assertThat(limiter.peek(group)).allMatch(CheckResult::fallback);
    }

    @Test
    void whatIsConfiguredHoldsForThoseThatSayNothing() {
        store.state = DOWN;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter(CLOSED, 1).acquire(FIVE, ALICE));
        assertThat(limiter(OPEN, 1).acquire(FIVE, ALICE).results()).containsExactly(CheckResult.notChecked(FIVE));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter(CONFIGURED, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter(LOCAL, 0));
    }

    @Test
    void theSettingsAreReadAndChecked() {
        store.state = DOWN;
        assertThat(configured(Map.of()).acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(configured(Map.of("limiter.on-store-failure", " open "))
                        .acquire(FIVE, ALICE)
                        .results())
                .containsExactly(CheckResult.notChecked(FIVE));
        FallbackRateLimiter one = configured(Map.of("limiter.expected-instances", "5"));
        assertThat(one.acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(one.acquire(FIVE, ALICE).admitted()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configured(Map.of("limiter.on-store-failure", "CONFIGURED")))
                .withMessage("limiter.on-store-failure: \"CONFIGURED\" is none of LOCAL, CLOSED, OPEN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configured(Map.of("limiter.expected-instances", "0")))
                .withMessageStartingWith("limiter.expected-instances: must be a whole number from 1 to");
    }

    private FallbackRateLimiter configured(Map<String, String> settings) {
        return FallbackRateLimiter.configured(
                () -> store, name -> Optional.ofNullable(settings.get(name)), Signals.NONE);
    }

    @Test
    void aShadowKeepsItsRole() {
        Policy shadow =
                Policy.of("shadow", FIXED_WINDOW, 1, Duration.ofMinutes(1)).asShadow();
        CheckGroup group = group(shadow, SHOW);
        limiter.acquire(group);
        limiter.acquire(group);
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(98);
        store.state = DOWN;
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.results().get(0).admitted()).isFalse();
        CheckGroup closed = group(shadow.whenStoreFails(CLOSED), SHOW);
        assertThat(limiter.acquire(closed).admitted()).as("it has no say").isTrue();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .as("but of shadows alone")
                .isThrownBy(() -> limiter.acquire(shadow.whenStoreFails(CLOSED), ALICE));
    }

    @Test
    void aRefundGivesBackInBothAndOnce() {
        Decision decision = limiter.acquire(FIVE, ALICE);
        assertThat(refund(decision)).isTrue();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        assertThat(store.inside.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        limiter.acquire(FIVE, ALICE);
        assertThat(refund(decision)).isFalse();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    @Test
    void aRefundThatTheStoreMissesStillCountsInTheMirror() {
        Decision decision = limiter.acquire(FIVE, ALICE);
        Policy shut = FIVE.whenStoreFails(CLOSED);
        Policy open = FIVE.whenStoreFails(OPEN);
        Decision closed = limiter.acquire(group(shut, SHOW));
        Decision closedAtLast = limiter.acquire(group(SHOW, shut));
        Decision passed = limiter.acquire(open, PartitionKey.of("user", "bob"));
        store.state = DOWN;
        assertThat(refund(decision)).as("decided locally, as all else").isTrue();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        assertThat(refund(decision)).isFalse();
        assertThat(refund(passed)).as("nothing is kept of it").isFalse();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> refund(closed));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> refund(closedAtLast));
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(100);
    }

    @Test
    void anAdmissionOfTheFallbackIsGivenBackInTheMirrorAlone() {
        store.state = DOWN;
        Decision decision = limiter.acquire(group(FIVE, SHOW));
        store.state = UP;
        store.inside.acquire(FIVE, ALICE); // by another process
        assertThat(refund(decision)).isTrue();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(100);
        assertThat(store.inside.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    @Test
    void aPartIsGivenBackInBoth() {
        Decision.Admitted decision = (Decision.Admitted) limiter.acquire(group(FIVE, SHOW));
        limiter.refund(decision.only(policy -> policy.name().equals("show")));
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(100);
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
        assertThat(store.inside.peek(SHOW, ALICE).remaining()).isEqualTo(100);
        limiter.refund(decision);
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(5);
    }

    @Test
    void leasesAreHeldInBothAndReleasedInBoth() {
        Policy leases = Policy.concurrency("jobs", 2);
        Decision first = limiter.acquire(leases, ALICE);
        assertThat(mirror.peek(leases, ALICE).remaining()).isEqualTo(1);
        store.state = DOWN;
        Decision second = limiter.acquire(leases, ALICE);
        assertThat(second.admitted()).isTrue();
        assertThat(limiter.acquire(leases, ALICE).admitted())
                .as("two are in flight")
                .isFalse();
        store.state = UP;
        assertThat(limiter.acquire(leases, ALICE).admitted())
                .as("two are in flight")
                .isFalse();
        refund(second);
        refund(first);
        assertThat(mirror.peek(leases, ALICE).remaining()).isEqualTo(2);
        assertThat(store.inside.peek(leases, ALICE).remaining()).isEqualTo(2);
    }

    /**
     * When it is renewed, a lease of the fallback is also taken in the store if there is room.
     * Otherwise it is not lost.
     */
    @Test
    void aLeaseOfTheFallbackMovesToTheStoreWhenItIsRenewed() {
        Policy leases = Policy.concurrency("jobs", 2);
        CheckGroup job = CheckGroup.of(Check.ofLease(leases, ALICE, "job"));
        store.state = DOWN;
        limiter.acquire(job);
        store.state = UP;
        for (String other : List.of("a", "b")) {
            store.inside.acquire(CheckGroup.of(Check.ofLease(leases, ALICE, other)));
        }
        assertThat(limiter.acquireEach(List.of(job)).get(0).admitted()).isFalse();
        assertThat(mirror.peek(leases, ALICE).remaining()).as("still runs").isEqualTo(1);
        seconds(25);
        assertThat(limiter.acquireEach(List.of(job)).get(0).admitted()).isFalse();
        seconds(25);
        assertThat(mirror.peek(leases, ALICE).remaining()).as("was renewed").isEqualTo(1);
        Decision moved = limiter.acquireEach(List.of(job)).get(0);
        assertThat(moved.admitted()).as("the others have expired").isTrue();
        assertThat(store.inside.peek(leases, ALICE).remaining()).isEqualTo(1);
        refund(moved);
        assertThat(mirror.peek(leases, ALICE).remaining()).isEqualTo(2);
        assertThat(store.inside.peek(leases, ALICE).remaining()).isEqualTo(2);
    }

    /** The mirror has to be asked as long as it alone knows a lease that runs. */
    @Test
    void aLeaseThatTheStoreDoesNotTakeKeepsTheMirrorInForce() {
        Policy leases = Policy.concurrency("jobs", 2);
        CheckGroup job = CheckGroup.of(Check.ofLease(leases, ALICE, "job"));
        store.state = DOWN;
        limiter.acquire(job);
        store.state = UP;
        for (String other : List.of("a", "b")) {
            store.inside.acquire(CheckGroup.of(Check.ofLease(leases, ALICE, other)));
        }
        seconds(25);
        limiter.acquire(job);
        seconds(25); // 50 after the fallback gave it, 25 after the store did not take it
        assertThat(limiter.acquire(leases, ALICE).admitted()).isTrue();
        Decision third = limiter.acquire(leases, ALICE);
        assertThat(third.admitted()).as("the store has room for it").isFalse();
        assertThat(third.fallback()).isTrue();
    }

    @Test
    void partitionsAdmittedWithoutTheStoreAskTheMirrorAfterwards() {
        store.state = DOWN;
        limiter.charge(FIVE, ALICE, 3);
        store.state = UP;
        assertThat(drain(FIVE)).isEqualTo(2);
    }

    /** A request that waits for a slot after a recovery waits for the later of both. */
    @Test
    void aSlotIsWaitedForUntilBothHaveGivenIt() {
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofSeconds(1), Duration.ofSeconds(10));
        store.state = DOWN;
        limiter.acquire(queue, ALICE);
        limiter.acquire(queue, ALICE);
        store.state = UP;
        Decision held = limiter.acquire(queue, ALICE);
        assertThat(runAfter(held)).isEqualTo(Duration.ofSeconds(2));
        assertThat(held.results().get(0).nextAfterMicros())
                .as("as the store has told")
                .isEqualTo(1_000_000);
        for (int i = 0; i < 6; i++) {
            store.inside.acquire(queue, ALICE); // by another process
        }
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(7));
        store.state = DOWN;
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(8));
    }

    /**
     * The mirror has reserved the slot at 1.5 s, the store gives the one at 2 s: the next is at
     * 3 s, not behind both.
     */
    @Test
    void aSlotThatWasReservedBeforeTheStoresIsGivenBack() {
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofSeconds(1), Duration.ofSeconds(10));
        store.state = DOWN;
        limiter.acquire(queue, ALICE);
        limiter.acquire(queue, ALICE);
        store.state = UP;
        clock.advance(500_000);
        store.inside.acquire(queue, ALICE); // by another process
        store.inside.acquire(queue, ALICE);
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(2));
        store.state = DOWN;
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(3));
    }

    /**
     * In the mirror a slot is as late as the store gave it, also where others have the slots
     * before.
     */
    @Test
    void aSlotOfTheFallbackComesAfterThoseOfTheStore() {
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofSeconds(1), Duration.ofSeconds(10));
        for (int i = 0; i < 4; i++) {
            store.inside.acquire(queue, ALICE); // by another process
        }
        Decision held = limiter.acquire(queue, ALICE);
        store.state = DOWN;
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(5));
        assertThat(refund(held)).as("it is not the last").isFalse();
    }

    @Test
    void aChargeIsRecordedInBothAndInTheMirrorAloneWhenTheStoreFails() {
        limiter.charge(FIVE, ALICE, 2);
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(3);
        assertThat(limiter.charge(FIVE, ALICE, 0)).isEqualTo(new ChargeResult(FIVE, 0, 0, 3, 10_000_000, 10_000_000));
        store.state = DOWN;
        assertThat(limiter.charge(FIVE, ALICE, 0))
                .isEqualTo(new ChargeResult(FIVE, 0, 0, 3, 2, 10_000_000, 10_000_000, true));
        ChargeResult charge = limiter.charge(FIVE, ALICE, 2);
        assertThat(charge).isEqualTo(new ChargeResult(FIVE, 2, 0, 1, 4, 10_000_000, 10_000_000, true));
        assertThat(drain(FIVE)).isEqualTo(1);
        store.state = UP;
        assertThat(drain(FIVE)).as("the store does not know").isZero();
        store.state = DOWN;
        assertThat(limiter.charge(FIVE.whenStoreFails(OPEN), ALICE, 2))
                .isEqualTo(ChargeResult.notCharged(FIVE.whenStoreFails(OPEN), 2));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.charge(FIVE.whenStoreFails(CLOSED), ALICE, 2));
    }

    @Test
    void aResetForgetsBothAndSaysSoWhenTheStoreDidNotHear() {
        drain(FIVE);
        limiter.reset(FIVE, ALICE);
        assertThat(store.inside.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        drain(FIVE);
        store.state = DOWN;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.reset(FIVE, ALICE));
        assertThat(drain(FIVE)).isEqualTo(5);
    }

    @Test
    void theFallbackServesAWaitingCaller() throws Exception {
        FallbackRateLimiter waiting = new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(clock));
        store.state = DOWN;
        CheckGroup group = group(FIVE);
        assertThat(waiting.acquire(group, Duration.ZERO).fallback()).isTrue();
    }

    /**
     * The mirror has admitted first, during the recovery. The store fails again, and the other
     * policy is {@code CLOSED}.
     */
    @Test
    void whatWasReservedForAGroupThatIsUnavailableIsGivenBack() {
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        CheckGroup group = group(FIVE, SHOW.whenStoreFails(CLOSED));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(group));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(List.of(group, group)));
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    /**
     * Three groups, of which the second needs a node that is down; 150 of them are three calls.
     */
    @Test
    void aNodeThatIsDownConcernsItsOwnGroupsOnly() {
        PartitionKey bob = PartitionKey.of("user", "bob");
        store.away.add(bob);
        CheckGroup mine = group(SHOW);
        CheckGroup local = CheckGroup.of(Check.of(SHOW, bob));
        List<Decision> decisions = limiter.acquireEach(List.of(mine, local, mine));
        assertThat(decisions).extracting(Decision::admitted).containsOnly(true);
        assertThat(decisions).extracting(Decision::fallback).containsExactly(false, true, false);

        CheckGroup closed = CheckGroup.of(Check.of(SHOW.whenStoreFails(CLOSED), bob));
        List<CheckGroup> many = new ArrayList<>(Collections.nCopies(150, mine));
        many.set(1, closed);
        many.set(2, local);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(many))
                .satisfies(failure -> {
                    assertThat(failure.decision(0).map(Decision::fallback)).contains(false);
                    assertThat(failure.decision(1)).isEmpty();
                    assertThat(failure.decision(2).map(Decision::fallback)).contains(true);
                    assertThat(failure.decision(149).map(Decision::admitted)).contains(false);
                    assertThat(failure.decision(150)).isEmpty();
                });
        assertThat(store.inside.peek(SHOW, ALICE).remaining()).isZero();
        assertThat(mirror.peek(SHOW, ALICE).remaining())
                .as("what the store admitted is in the mirror, although the call failed")
                .isZero();
    }

    @Test
    void severalGroupsAreDecidedInTheirOrder() {
        CheckGroup five = group(FIVE);
        CheckGroup show = group(SHOW);
        store.state = DOWN;
        for (int i = 0; i < 4; i++) {
            limiter.acquire(five);
        }
        store.state = UP;
        List<Decision> decisions = limiter.acquireEach(List.of(show, five, five, show));
        assertThat(decisions).extracting(Decision::admitted).containsExactly(true, true, false, true);
        assertThat(decisions).extracting(Decision::fallback).containsExactly(false, false, true, false);
        List<CheckGroup> many = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            many.add(show);
        }
        store.state = DOWN;
        assertThat(limiter.acquireEach(many)).filteredOn(Decision::admitted).hasSize(98);
    }

    /**
     * Shows why the law of {@code INTERVAL} is weaker with a mirror: its refill is at 20 s, the
     * store's at 19 s. The promise is 6.
     */
    @Test
    void anIntervalBucketThatIsRefilledAtAnotherInstantAdmitsMoreOnce() {
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 6, Duration.ofSeconds(10))
                .withBurst(3)
                .withRefill(Refill.INTERVAL);
        store.state = DOWN;
        assertThat(limiter.acquire(bucket, ALICE).admitted()).isTrue();
        store.state = UP;
        seconds(9);
        assertThat(limiter.acquire(bucket, ALICE).admitted()).isTrue();
        seconds(1);
        assertThat(limiter.acquire(bucket, ALICE).admitted()).isTrue();
        seconds(1);
        assertThat(drain(bucket)).isEqualTo(1);
        seconds(8);
        assertThat(drain(bucket)).isEqualTo(3);
        seconds(1);
        store.state = DOWN;
        assertThat(drain(bucket)).isEqualTo(3);
        assertThat(bucket.mostInAnyWindow()).isEqualTo(6);
    }

    @Test
    void theMirrorIsBoundedHoweverKeysRotate() {
        LongSupplier[] told = new LongSupplier[1];
        FallbackRateLimiter rotated = new FallbackRateLimiter(
                new FailingStore(new LocalRateLimiter(clock)),
                LOCAL,
                1,
                new Signals() {
                    @Override
                    public void fallbackPartitions(LongSupplier partitions) {
                        told[0] = partitions;
                    }
                },
                memory);
        Policy policy = Policy.of("p", GCRA, 5, Duration.ofHours(1));
        for (int i = 0; i < LocalRateLimiter.MAX_PARTITIONS + TestSize.of(900_000); i++) {
            rotated.acquire(policy, PartitionKey.of("user", Integer.toString(i)));
        }
        assertThat(told[0].getAsLong()).isEqualTo(LocalRateLimiter.MAX_PARTITIONS + 1);
    }

    private boolean refund(Decision decision) {
        return limiter.refund((Decision.Admitted) decision);
    }

    private static Duration runAfter(Decision decision) {
        return ((Decision.Admitted) decision).runAfter();
    }

    private static CheckGroup group(Policy... policies) {
        List<Check> checks = new ArrayList<>();
        for (Policy policy : policies) {
            checks.add(Check.of(policy, ALICE));
        }
        return new CheckGroup(checks);
    }

    private long drain(Policy policy) {
        long admitted = 0;
        while (limiter.acquire(policy, ALICE).admitted()) {
            admitted++;
        }
        return admitted;
    }

    private void seconds(long seconds) {
        clock.advance(seconds * 1_000_000);
    }
}
