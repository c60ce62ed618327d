package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.store.Settlement;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Admissions whose cost was an estimate, corrected to what was used. */
@Tag("proof")
class SettlementTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");
    private static final Policy TOKENS = Policy.of("tokens", SLIDING_LOG, 10, Duration.ofMinutes(1));

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));

    private RateLimiter fallback(OnStoreFailure configured, int nodes) {
        return new FallbackRateLimiter(store, configured, nodes, Signals.NONE, new FollowingStore(clock));
    }

    /** A history, the estimate of the next request, and what it uses. */
    private record Estimated(History history, long estimate, long used) {
        static Property<Estimated> forAll() {
            return Property.<Estimated>forAll(dice -> {
                        Policy policy = History.policies()
                                .filter(each -> each.algorithm().accepts(Member.COUNT_ON))
                                .draw(dice);
                        return new Estimated(
                                new History(policy, dice.list(1, 20, History.steps(policy))),
                                dice.number(1, policy.maxCost()),
                                dice.number(0, policy.maxCost()));
                    })
                    .leavingOut(
                            each -> each.history.steps(),
                            (each, steps) ->
                                    new Estimated(new History(each.history.policy(), steps), each.estimate, each.used));
        }
    }

    /** The state is the same if every later result is: of the rest, and of when more is there. */
    @Test
    void settlingIsAskingForWhatWasUsed() {
        Estimated.forAll().tries(10_000).check(each -> {
            History.Lived settled = each.history.live();
            History.Lived asked = each.history.live();
            Decision decision = settled.ask(each.estimate);
            Discard.unless(decision.admitted());
            Discard.unless(each.used == 0 || asked.ask(each.used).admitted());
            Decision.Admitted admission = (Decision.Admitted) decision;
            ChargeResult result = settled.limiter().settle(admission, settled.policy(), each.used);
            Discard.unless(result.dropped() == 0);
            assertThat(result.charged()).isEqualTo(Math.max(0, each.used - each.estimate));
            assertThat(result.remaining()).isEqualTo(peek(asked).remaining());
            for (int tries = 0; tries < 6; tries++) {
                assertThat(peek(settled)).isEqualTo(peek(asked));
                long pause = Math.max(1, peek(asked).nextAfterMicros() - tries % 2);
                settled.after(pause);
                asked.after(pause);
            }
        });
    }

    private static CheckResult peek(History.Lived lived) {
        return lived.limiter().peek(lived.policy(), ALICE);
    }

    @Test
    void unitsOfAnEarlierWindowDoNotComeBackIntoTheNext() {
        Policy policy = Policy.of("tokens", FIXED_WINDOW, 10, Duration.ofMinutes(1));
        Decision.Admitted admission = ask(store.inside, policy, 10);
        clock.advance(policy.windowMicros());
        ask(store.inside, policy, 4);
        assertThat(store.inside.settle(admission, policy, 3).remaining()).isEqualTo(6);
    }

    /** 5 units at 0 s, settled at 8 after half a window. */
    @Test
    void unitsBeyondTheEstimateCountFromTheSettlementOn() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        clock.advance(30_000_000);
        store.inside.settle(admission, TOKENS, 8);
        clock.advance(30_000_000);
        assertThat(store.inside.peek(TOKENS, ALICE).used()).isEqualTo(3);
        clock.advance(30_000_000);
        assertThat(store.inside.peek(TOKENS, ALICE).used()).isZero();
    }

    /** Debts are bounded by the limit in force, which also tells what is left. */
    @Test
    void aSettlementGoesByTheNumbersInForce() {
        Policy raised = Policy.of("tokens", SLIDING_LOG, 1_000, Duration.ofMinutes(1));
        for (long used = 0; used <= 5; used++) {
            Decision.Admitted admission = ask(store.inside, TOKENS, 5);
            assertThat(store.inside.settle(admission, raised, used).remaining()).isEqualTo(1_000 - used);
            assertThat(store.inside.settle(admission, raised, 0).remaining())
                    .as("settled before")
                    .isEqualTo(1_000 - used);
            store.inside.reset(TOKENS, ALICE);
        }
        ChargeResult charge = store.inside.settle(ask(store.inside, TOKENS, 5), raised, 500);
        assertThat(List.of(charge.charged(), charge.dropped(), charge.remaining()))
                .containsExactly(495L, 0L, 500L);
    }

    /** Each of these keeps its units in a state of its own. */
    static List<Policy> ofOtherStates() {
        Policy bucket = Policy.of("tokens", TOKEN_BUCKET, 1_000, Duration.ofMinutes(1));
        return List.of(
                bucket.withRefill(Refill.INTERVAL),
                Policy.of("tokens", SLIDING_LOG, 1_000, Duration.ofMinutes(1)),
                Policy.of("tokens", TOKEN_BUCKET, 1_000, Duration.ofMinutes(2)));
    }

    @ParameterizedTest
    @MethodSource("ofOtherStates")
    void unitsBeyondTheEstimateAreChargedWhereTheEstimateIs(Policy other) {
        Policy bucket = Policy.of("tokens", TOKEN_BUCKET, 10, Duration.ofMinutes(1));
        store.inside.settle(
                Settlement.of(List.of(ask(store.inside, other, 1), ask(store.inside, bucket, 5)), other, 9));
        assertThat(store.inside.peek(bucket, ALICE).remaining()).isEqualTo(2);
    }

    /** Also where the period of the estimate is over: its own next one counts them. */
    @Test
    void unitsBeyondTheEstimateBeginNoPeriodOfAnotherAnchor() {
        CalendarPeriod month = CalendarPeriod.parse("1 month");
        Policy plan = Policy.of("tokens", 10, month);
        Decision.Admitted admission = ask(store.inside, plan, 5);
        clock.advance(month.endMicros(clock.micros()) - clock.micros());
        store.inside.settle(admission, plan.in(month.withAnchor("15")), 8);
        CheckResult result = store.inside.peek(plan, ALICE);
        assertThat(result.used()).isEqualTo(3);
        assertThat(result.resetAfterMicros()).isEqualTo(month.endMicros(clock.micros()) - clock.micros());
    }

    @Test
    void aBucketGivesBackWhatHasNotLeaked() {
        Policy policy = Policy.of("tokens", GCRA, 10, Duration.ofSeconds(10));
        Decision.Admitted admission = ask(store.inside, policy, 10);
        clock.advance(8_000_000);
        assertThat(store.inside.settle(admission, policy, 3).remaining()).isEqualTo(10);
        ask(store.inside, policy, 10);
        assertThat(store.inside.peek(policy, ALICE).admitted()).isFalse();
    }

    @Test
    void debtIsAtMostOneFurtherQuota() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        ChargeResult result = store.inside.settle(admission, TOKENS, 26);
        assertThat(result.charged()).isEqualTo(15);
        assertThat(result.dropped()).isEqualTo(6);
    }

    @Test
    void oneOfSeveralPoliciesIsSettled() {
        Policy requests = Policy.of("requests", SLIDING_LOG, 5, Duration.ofMinutes(1));
        Decision.Admitted admission = (Decision.Admitted)
                store.inside.acquire(CheckGroup.of(Check.of(requests, ALICE), new Check(TOKENS, ALICE, 8)));
        store.inside.settle(admission, TOKENS, 2);
        assertThat(store.inside.peek(TOKENS, ALICE).remaining()).isEqualTo(8);
        assertThat(store.inside.peek(requests, ALICE).remaining()).isEqualTo(4);
        assertThat(store.inside.refund(admission)).isTrue();
        assertThat(store.inside.peek(TOKENS, ALICE).remaining()).isEqualTo(8);
        assertThat(store.inside.peek(requests, ALICE).remaining()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAKY_BUCKET", "CONCURRENCY", "GATE"})
    void whatCannotBeGivenBackIsRefused(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 5, Duration.ofSeconds(10), Duration.ofSeconds(10))
                : Policy.of("p", algorithm, algorithm == Algorithm.GATE ? 1 : 5, Duration.ofSeconds(10));
        Decision.Admitted admission = ask(store.inside, policy, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(admission, policy, 1))
                .withMessageContaining(algorithm.name())
                .withMessageContaining("\"p\"");
    }

    @Test
    void wrongUseIsRefused() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(admission, TOKENS, -1))
                .withMessageContaining("from 0 to 2^31 - 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        store.inside.settle(admission, Policy.of("other", SLIDING_LOG, 10, Duration.ofMinutes(1)), 1))
                .withMessageContaining("\"other\" is not one of this admission");
        Decision.Admitted both = (Decision.Admitted)
                store.inside.acquire(CheckGroup.of(new Check(TOKENS, ALICE, 2), new Check(TOKENS, BOB, 2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(both, TOKENS, 1))
                .withMessageContaining("2 keys");
        assertThat(store.inside.settle(admission, TOKENS, 0).remaining()).isEqualTo(8);
    }

    /** Each of 2 processes keeps 5 units; the estimate of 8 is 5 in the mirror. */
    @Test
    void theMirrorOfOneOfTwoProcessesIsSettled() {
        RateLimiter limiter = fallback(LOCAL, 2);
        Decision.Admitted admission = ask(limiter, TOKENS, 8);
        limiter.settle(admission, TOKENS, 4);
        store.state = FailingStore.State.DOWN;
        assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(1);
    }

    @Test
    void anAdmissionWithoutTheStoreIsSettledInTheMirrorAndOnce() {
        RateLimiter limiter = fallback(LOCAL, 1);
        store.state = FailingStore.State.DOWN;
        Decision.Admitted admission = ask(limiter, TOKENS, 8);
        assertThat(limiter.settle(admission, TOKENS, 3).remaining()).isEqualTo(7);
        assertThat(limiter.settle(admission, TOKENS, 0).remaining()).isEqualTo(7);
        limiter.refund(admission);
        assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(7);
        Decision.Admitted refunded = ask(limiter, TOKENS, 4);
        limiter.refund(refunded);
        assertThat(limiter.settle(refunded, TOKENS, 7).remaining()).isEqualTo(7);
    }

    /** The units stay charged in the store, and come back in the mirror. */
    @Test
    void aStoreThatFailsBetweenBothCallsKeepsTheEstimate() {
        RateLimiter limiter = fallback(LOCAL, 1);
        Decision.Admitted admission = ask(limiter, TOKENS, 8);
        store.state = FailingStore.State.DOWN;
        ChargeResult result = limiter.settle(admission, TOKENS, 3);
        assertThat(result.fallback()).isTrue();
        assertThat(result.remaining()).isEqualTo(7);
        store.state = FailingStore.State.UP;
        assertThat(store.inside.peek(TOKENS, ALICE).remaining()).isEqualTo(2);
        assertThat(limiter.settle(admission, TOKENS, 0).remaining()).isEqualTo(2);
    }

    /** 4 units and 4 in the store, then what was used in the mirror: 0 to 9 units. */
    @ParameterizedTest
    @EnumSource
    void severalAdmissionsAreSettledInTheMirrorBeforeTheStoreFailsAndAfter(FailingStore.State then) {
        for (long used = 0; used <= 9; used++) {
            store.state = FailingStore.State.UP;
            RateLimiter limiter = fallback(LOCAL, 1);
            store.inside.reset(TOKENS, ALICE);
            List<Decision.Admitted> both = List.of(ask(limiter, TOKENS, 4), ask(limiter, TOKENS, 4));
            store.state = then;
            limiter.settle(Settlement.of(both, TOKENS, used));
            store.state = FailingStore.State.DOWN;
            assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(10 - used);
        }
    }

    @Test
    void openDropsAndClosedThrows() {
        store.state = FailingStore.State.DOWN;
        RateLimiter open = fallback(OPEN, 1);
        Decision.Admitted passed = ask(open, TOKENS, 5);
        assertThat(open.settle(passed, TOKENS, 8)).isEqualTo(ChargeResult.notCharged(TOKENS, 3));
        assertThat(open.settle(ask(open, TOKENS, 5), TOKENS, 3).remaining()).isEqualTo(10);
        store.state = FailingStore.State.UP;
        RateLimiter closed = fallback(CLOSED, 1);
        Decision.Admitted up = ask(closed, TOKENS, 5);
        Decision.Admitted down = ask(closed, TOKENS, 5);
        store.state = FailingStore.State.DOWN;
        for (Settled each : List.of(new Settled(up, 8), new Settled(down, 3))) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> closed.settle(each.admission, TOKENS, each.used));
        }
    }

    private record Settled(Decision.Admitted admission, long used) {}

    private static Decision.Admitted ask(RateLimiter limiter, Policy policy, long units) {
        return (Decision.Admitted)
                limiter.acquire(CheckGroup.of(new Check(policy, ALICE, units)).asRefundable());
    }
}
