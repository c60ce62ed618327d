package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.calendar.Usage.Period.PRESENT;
import static dev.limiter.calendar.Usage.Period.PREVIOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every limiter promises, wherever it keeps what it counts, on any clock. */
public abstract class RateLimiterContract {
    private static final Policy GATE = Policy.of("buyer", UNIFORM, 1, Duration.ofHours(1));
    private static final Policy SHOW = banning(Policy.of("show", SLIDING_LOG, 100, Duration.ofHours(1)));
    private static final Policy API = Policy.of("api", GCRA, 600, Duration.ofHours(1));
    private static final Policy DAY = banning(Policy.of("day", FIXED_WINDOW, 10, Duration.ofDays(1)));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    /** No test is rejected so often. A limiter without bans knows nothing of it. */
    private static Policy banning(Policy policy) {
        return new Policy(policy.members().with(PolicyMember.BAN, Ban.parse("1h after 1000")));
    }

    /** 10 a day, {@code ban=1h after 1000}: in one test always the same. */
    protected Policy day() {
        return DAY;
    }

    /** The limiter under test: in one test always the same. */
    protected abstract RateLimiter limiter();

    /** Runs a call that must not write into the store. */
    protected void writingNothing(Runnable call) {
        call.run();
    }

    @Test
    void aGroupThatOnePolicyRejectsChargesNone() {
        assertThat(limiter().acquire(all()).admitted()).isTrue();
        writingNothing(() -> {
            Decision second = limiter().acquire(all());
            assertThat(second.admitted()).isFalse();
            assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(false, true, true, true);
            assertThat(second.results().get(1).remaining()).isEqualTo(99);
            assertThat(limiter().peek(all()))
                    .extracting(CheckResult::remaining)
                    .hasSize(4)
                    .startsWith(0L, 99L);
        });
    }

    @Test
    void aChargeOfNothingTellsWhatIsThereAndWritesNothing() {
        limiter().acquire(all());
        writingNothing(() -> {
            ChargeResult nothing = limiter().charge(API, ALICE, 0);
            assertThat(nothing.charged() + nothing.dropped()).isZero();
            assertThat(nothing.remaining()).isEqualTo(599);
            PartitionKey bob = PartitionKey.of("user", "bob");
            assertThat(limiter().charge(API, bob, 0).remaining())
                    .isEqualTo(limiter().peek(API, bob).remaining())
                    .isEqualTo(600);
        });
    }

    @Test
    void whatCannotBeChargedIsRefusedAndWritesNothing() {
        Policy flight = Policy.concurrency("flight", 5);
        writingNothing(() -> {
            assertThatIllegalArgumentException().isThrownBy(() -> limiter().charge(API, ALICE, -1));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter().charge(API, ALICE, 1L << 31));
            assertThatIllegalArgumentException().isThrownBy(() -> limiter().charge(flight, ALICE, 1));
        });
    }

    @Test
    void theCountsOfPeriodsAreToldAndNothingIsWritten() {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 year"));
        limiter().charge(plan.keepingPrevious(), ALICE, 3);
        writingNothing(() -> {
            assertThat(limiter().usage(plan, ALICE, PRESENT).used()).isEqualTo(3);
            assertThat(limiter().usage(plan.keepingPrevious(), ALICE, PREVIOUS).used())
                    .isZero();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter().usage(plan, ALICE, PREVIOUS))
                    .withMessage("policy \"plan\" does not keep the count of the period that ended; set"
                            + " limiter.policy.plan.keep=1, or in code keepingPrevious()");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter().usage(day(), ALICE, PRESENT))
                    .withMessage("policy \"day\" has no calendar period");
        });
    }

    @Test
    void groupsAreDecidedInTheirOrder() {
        CheckGroup circus = CheckGroup.of(Check.of(SHOW, PartitionKey.of("show", "circus")));
        List<Decision> decisions = limiter().acquireEach(Collections.nCopies(130, circus));
        assertThat(decisions).hasSize(130);
        for (int i = 0; i < 130; i++) {
            assertThat(decisions.get(i).admitted()).isEqualTo(i < 100);
            assertThat(decisions.get(i).results().get(0).remaining()).isEqualTo(Math.max(0, 99 - i));
        }
        List<CheckGroup> costs = Stream.of(8, 4, 2)
                .map(cost -> CheckGroup.of(new Check(day(), ALICE, cost)))
                .toList();
        assertThat(limiter().acquireEach(costs)).extracting(Decision::admitted).containsExactly(true, false, true);
        assertThat(limiter().acquireEach(List.of())).isEmpty();
    }

    @Test
    void aShadowIsChargedWithTheOthersAndHasNoSay() {
        Policy shadow = Policy.of("trial", UNIFORM, 1, Duration.ofHours(1)).asShadow();
        CheckGroup group = CheckGroup.of(Check.of(shadow, ALICE), Check.of(day(), ALICE));
        assertThat(limiter().acquire(group).results())
                .extracting(CheckResult::admitted)
                .containsExactly(true, true);
        Decision second = limiter().acquire(group);
        assertThat(second.admitted()).isTrue();
        assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(false, true);
        assertThat(second.results())
                .extracting(result -> result.policy().name())
                .containsExactly("trial", "day");
        for (int i = 0; i < 8; i++) {
            limiter().acquire(group);
        }
        Decision rejected = limiter().acquire(group);
        assertThat(((Decision.Rejected) rejected).failing())
                .extracting(CheckResult::policy)
                .containsExactly(day());
        assertThat(limiter().acquire(CheckGroup.of(Check.of(shadow, ALICE))).admitted())
                .isTrue();
    }

    @Test
    void askingAgainRenewsALeaseAndTakesNoSecond() {
        Policy one = Policy.concurrency("job", 1);
        CheckGroup job = CheckGroup.of(Check.ofLease(one, ALICE, "job-1"));
        assertThat(limiter().acquire(job).admitted()).isTrue();
        assertThat(limiter().acquireEach(List.of(job, job))).allMatch(Decision::admitted);
        assertThat(limiter().acquire(one, ALICE).admitted()).isFalse();
        limiter().refund((Decision.Admitted) limiter().acquire(job));
        assertThat(limiter().acquire(one, ALICE).admitted()).isTrue();
        assertThat(limiter().acquire(job).admitted()).isFalse();
    }

    /** A quota stays spent when the lease of the same request comes back. */
    @Test
    void aPartOfAnAdmissionIsGivenBackByItself() {
        Policy three = Policy.concurrency("exports", 3);
        Decision.Admitted admission =
                (Decision.Admitted) limiter().acquire(CheckGroup.of(Check.of(day(), ALICE), Check.of(three, ALICE)));
        assertThat(limiter().refund(admission.only(policy -> policy.equals(three))))
                .isTrue();
        assertThat(limiter().peek(three, ALICE).remaining()).isEqualTo(3);
        assertThat(limiter().peek(day(), ALICE).remaining()).isEqualTo(9);
        assertThat(limiter().refund(admission.only(policy -> false))).isFalse();
    }

    @Test
    void neitherAPartNorTheWholeIsGivenBackTwice() {
        Decision.Admitted admission = (Decision.Admitted) limiter().acquire(all());
        assertThat(limiter().refund(admission.only(policy -> policy.equals(day()))))
                .isTrue();
        assertThat(limiter().refund(admission.only(policy -> policy.equals(day()))))
                .isFalse();
        assertThat(limiter().peek(day(), ALICE).remaining()).isEqualTo(10);
        limiter().acquire(day(), ALICE);
        assertThat(limiter().refund(admission)).isTrue();
        assertThat(limiter().refund(admission.only(policy -> true))).isFalse();
        assertThat(limiter().peek(day(), ALICE).remaining()).isEqualTo(9);
        assertThat(limiter().peek(API, ALICE).remaining()).isEqualTo(600);
    }

    @Test
    void whatWasNotUsedComesBackAndAResetForgetsTheRest() throws Exception {
        CheckGroup eight = CheckGroup.of(new Check(day(), ALICE, 8));
        Decision.Admitted estimate = (Decision.Admitted) limiter().acquire(eight, Duration.ZERO);
        assertThat(limiter().settle(estimate, day(), 3).remaining()).isEqualTo(7);
        limiter().reset(day(), ALICE);
        assertThat(limiter().peek(day(), ALICE).remaining()).isEqualTo(10);
    }

    @Test
    void manyThreadsShareOneLimitExactly() throws Exception {
        Policy crowd = Policy.of("crowd", SLIDING_LOG, 1_000, Duration.ofHours(1));
        List<Long> admitted = ManyThreads.call(8, () -> drain(limiter(), crowd));
        assertThat(admitted.stream().reduce(0L, Long::sum)).isEqualTo(1_000);
    }

    /**
     * Leases are given back while others fight for them: never more in flight than the limit,
     * and none is lost.
     */
    @Test
    void noMoreThanTheLimitAreInFlight() throws Exception {
        Policy three = Policy.concurrency("exports", 3);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger admitted = new AtomicInteger();
        ManyThreads.call(16, () -> {
            for (int round = 0; round < 100; round++) {
                if (limiter().acquire(three, ALICE) instanceof Decision.Admitted admission) {
                    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                    admitted.incrementAndGet();
                    inFlight.decrementAndGet();
                    assertThat(limiter().refund(admission)).isTrue();
                    assertThat(limiter().refund(admission)).isFalse();
                }
            }
            return 0L;
        });
        assertThat(most.get()).isBetween(1, 3);
        assertThat(admitted.get()).isGreaterThanOrEqualTo(100);
        assertThat(limiter().peek(three, ALICE).remaining()).isEqualTo(3);
    }

    /** How many requests were admitted until one was not. */
    protected static long drain(RateLimiter limiter, Policy policy) {
        long admitted = 0;
        while (limiter.acquire(policy, ALICE).admitted()) {
            admitted++;
        }
        return admitted;
    }

    private CheckGroup all() {
        return CheckGroup.of(
                Check.of(GATE, ALICE),
                Check.of(SHOW, PartitionKey.of("path:show", "circus")),
                Check.of(API, ALICE),
                Check.of(day(), ALICE));
    }

    /** The same on a clock that stands until it is moved, and what only such a clock shows. */
    public abstract static class OnAClock extends RateLimiterContract {
        private static final Duration TEN = Duration.ofSeconds(10);

        private RateLimiter limiter;

        @Override
        protected synchronized RateLimiter limiter() {
            limiter = limiter == null ? limiter(Signals.NONE) : limiter;
            return limiter;
        }

        /** Moves the clock; back if negative. */
        protected abstract void advance(long micros);

        /** A limiter with signals, on the same clock. */
        protected abstract RateLimiter limiter(Signals signals);

        @Test
        void aRejectedGroupWaitsForThePolicyThatRejects() {
            CheckGroup group = CheckGroup.of(
                    Check.of(Policy.of("buyer", UNIFORM, 1, TEN), ALICE),
                    Check.of(Policy.of("show", SLIDING_LOG, 100, TEN), ALICE));
            assertThat(limiter().acquire(group).admitted()).isTrue();
            assertThat(((Decision.Rejected) limiter().acquire(group)).retryAfter())
                    .isEqualTo(TEN);
        }

        /** A unit that is given back in April was one of March. */
        @Test
        void theCountOfThePeriodThatEndedIsToldForOneMore() {
            Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month")).keepingPrevious();
            limiter().charge(plan, ALICE, 6);
            Decision.Admitted last = (Decision.Admitted) limiter().acquire(plan, ALICE);
            advance(last.results().get(0).resetAfterMicros());
            assertThat(limiter().usage(plan, ALICE, PREVIOUS).used()).isEqualTo(7);
            assertThat(limiter().usage(plan, ALICE, PRESENT).used()).isZero();
            limiter().charge(plan, ALICE, 2);
            assertThat(limiter().refund(last)).isTrue();
            assertThat(limiter().usage(plan, ALICE, PREVIOUS).used()).isEqualTo(6);
            advance(limiter().peek(plan, ALICE).resetAfterMicros());
            assertThat(limiter().usage(plan, ALICE, PREVIOUS).used()).isEqualTo(2);
        }

        /**
         * One signal for each lease that nothing has renewed for its length; none for a lease
         * that is gone for another reason.
         */
        @Test
        void aLeaseThatExpiredBeforeItsReleaseIsTold() {
            AtomicInteger expired = new AtomicInteger();
            RateLimiter told = limiter(new Signals() {
                @Override
                public void happened(Incident incident) {
                    expired.addAndGet(incident == Incident.LEASES_EXPIRED ? 1 : 0);
                }
            });
            Policy exports = Policy.concurrency("exports", 3);
            Policy imports = Policy.concurrency("imports", 3);
            CheckGroup both = CheckGroup.of(Check.of(exports, ALICE), Check.of(day(), ALICE), Check.of(imports, ALICE));
            Decision.Admitted inTime = (Decision.Admitted) told.acquire(both);
            advance(29_999_999);
            told.refund(inTime);
            Decision.Admitted first = (Decision.Admitted) told.acquire(both);
            advance(25_000_000);
            told.acquireEach(List.of(both));
            advance(25_000_000);
            told.refund(first);
            Decision.Admitted reset = (Decision.Admitted) told.acquire(both);
            told.reset(exports, ALICE);
            told.refund(reset);
            assertThat(expired).hasValue(0);

            Decision.Admitted late = (Decision.Admitted) told.acquire(both);
            advance(30_000_000);
            told.refund(late);
            assertThat(expired).as("two of the three charges were leases").hasValue(2);
            told.refund(late);
            assertThat(expired).hasValue(2);
        }

        /**
         * A unit that has left the window stays out after a refund, also when the clock steps
         * back.
         */
        @Test
        void whatHasLeftTheWindowBeforeARefundStaysOut() {
            Policy show = Policy.of("show", SLIDING_LOG, 100, TEN);
            limiter().acquire(show, ALICE);
            advance(5_000_000);
            Decision.Admitted second = (Decision.Admitted) limiter().acquire(show, ALICE);
            advance(6_000_000);
            assertThat(limiter().refund(second)).isTrue();
            advance(-3_000_000);
            assertThat(limiter().peek(show, ALICE).remaining()).isEqualTo(100);
        }
    }
}
