package dev.limiter.model;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.testkit.property.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract's examples, worked by hand: they check the model with which the others are
 * compared.
 */
@Tag("proof")
class ModelTest {
    private static final long SECOND = 1_000_000;

    /** The beginning of a minute. */
    private static final long START = 1_700_000_040 * SECOND;

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    private final Model model = new Model();

    @Test
    void gcraFivePerTenSecondsBringsOneBackEveryTwo() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        assertThat(acquire(0, policy, 1)).isEqualTo(admitted(policy, 4, 2 * SECOND, 2 * SECOND));
        acquire(0, policy, 3);
        assertThat(acquire(0, policy, 1)).isEqualTo(admitted(policy, 0, 2 * SECOND, 10 * SECOND));
        assertThat(acquire(0, policy, 1)).isEqualTo(rejected(policy, 0, 2 * SECOND, 2 * SECOND, 10 * SECOND));
        assertThat(acquire(0, policy, 3)).isEqualTo(rejected(policy, 0, 6 * SECOND, 2 * SECOND, 10 * SECOND));
        assertThat(acquire(6 * SECOND - 1, policy, 3).admitted()).isFalse();
        assertThat(acquire(6 * SECOND, policy, 3)).isEqualTo(admitted(policy, 0, 2 * SECOND, 10 * SECOND));
    }

    /**
     * With the burst spent, request i fits from the instant at which i - 2 units have come back.
     */
    @Test
    void requestsAtThreePerSecondDriftByNothing() {
        long requests = TestSize.of(1_000_000) / 3 * 3 + 1; // the last one is not due at a whole µs
        Policy policy = Policy.of("p", GCRA, 3, Duration.ofSeconds(1));
        CheckGroup group = CheckGroup.of(Check.of(policy, ALICE));
        for (long i = 0; i < requests; i++) {
            long due = i < 3 ? 0 : ((i - 2) * SECOND + 2) / 3;
            assertThat(i < 3 || !model.admits(group, START + due - 1)).isTrue();
            assertThat(model.admits(group, START + due)).isTrue();
        }
        assertThat(peek((requests - 3) * SECOND / 3 + 1, policy, 1))
                .isEqualTo(rejected(policy, 0, 333_333, 333_333, SECOND));
    }

    @Test
    void aGateKeepsRequestsApart() {
        Policy policy = Policy.of("p", UNIFORM, 5, TEN_SECONDS);
        assertThat(acquire(0, policy, 1)).isEqualTo(admitted(policy, 0, 2 * SECOND, 2 * SECOND));
        assertThat(acquire(SECOND / 2, policy, 1))
                .isEqualTo(rejected(policy, 0, 3 * SECOND / 2, 3 * SECOND / 2, 3 * SECOND / 2));
        assertThat(acquire(2 * SECOND, policy, 1).admitted()).isTrue();
    }

    @Test
    void aFixedWindowReachesTwiceItsLimitAcrossABoundary() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS).alignedToTheClock();
        assertThat(acquire(10 * SECOND - 1, policy, 5)).isEqualTo(admitted(policy, 0, 1, 1));
        assertThat(acquire(10 * SECOND - 1, policy, 1)).isEqualTo(rejected(policy, 0, 1, 1, 1));
        assertThat(acquire(10 * SECOND, policy, 5)).isEqualTo(admitted(policy, 0, 10 * SECOND, 10 * SECOND));
        assertThat(acquire(10 * SECOND, policy, 1).admitted()).isFalse();
    }

    @Test
    void aFixedWindowThatIsNotAlignedBeginsWhereTheKeySays() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS);
        long reset = acquire(0, policy, 1).resetAfterMicros();
        assertThat((START + reset - ALICE.stableHash()) % (10 * SECOND)).isZero();
        assertThat(reset).isBetween(1L, 10 * SECOND);
    }

    /** 50 in the minute before, 30 in this, 15 s into it: 50 · 0.75 + 30 = 67.5. */
    @Test
    void aSlidingWindowWeighsTheWindowBefore() {
        Policy policy =
                Policy.of("p", SLIDING_WINDOW, 100, Duration.ofMinutes(1)).alignedToTheClock();
        acquire(-1, policy, 50);
        acquire(0, policy, 30);
        assertThat(peek(15 * SECOND, policy, 32)).isEqualTo(admitted(policy, 32, 600_000, 105 * SECOND));
        assertThat(peek(15 * SECOND, policy, 33)).isEqualTo(rejected(policy, 32, 600_000, 600_000, 105 * SECOND));
        assertThat(acquire(15 * SECOND, policy, 32)).isEqualTo(admitted(policy, 0, 600_000, 105 * SECOND));
    }

    @Test
    void aUnitLeavesTheLogExactlyAWindowAfterItCame() {
        Policy policy = Policy.of("p", SLIDING_LOG, 2, TEN_SECONDS);
        assertThat(acquire(0, policy, 1)).isEqualTo(admitted(policy, 1, 10 * SECOND, 10 * SECOND));
        assertThat(acquire(3 * SECOND, policy, 1)).isEqualTo(admitted(policy, 0, 7 * SECOND, 10 * SECOND));
        assertThat(acquire(10 * SECOND - 1, policy, 1)).isEqualTo(rejected(policy, 0, 1, 1, 3 * SECOND + 1));
        assertThat(acquire(10 * SECOND - 1, policy, 2))
                .isEqualTo(rejected(policy, 0, 3 * SECOND + 1, 1, 3 * SECOND + 1));
        assertThat(acquire(10 * SECOND, policy, 1)).isEqualTo(admitted(policy, 0, 3 * SECOND, 10 * SECOND));
    }

    @Test
    void noWindowOfALogHoldsMoreThanItsLimit() {
        Policy policy = Policy.of("p", SLIDING_LOG, 7, TEN_SECONDS);
        SplittableRandom random = new SplittableRandom(1);
        List<Long> units = new ArrayList<>();
        long now = START;
        for (int attempt = 0; attempt < 100_000; attempt++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextInt(1_500_000);
            int cost = 1 + random.nextInt(3);
            if (model.admits(CheckGroup.of(new Check(policy, ALICE, cost)), now)) {
                for (int unit = 0; unit < cost; unit++) {
                    units.add(now);
                }
            }
        }
        assertThat(units.size()).isGreaterThan(30_000);
        for (int i = 7; i < units.size(); i++) {
            assertThat(units.get(i) - units.get(i - 7)).isGreaterThanOrEqualTo(10 * SECOND);
        }
    }

    /**
     * Ten tokens a minute into a bucket of 15: 15 are missing at 0 s, 5 at 60 s, none at 120 s.
     */
    @Test
    void tokensComeBackTogetherAndAFullBucketHasNoPhase() {
        Policy policy = Policy.of("p", TOKEN_BUCKET, 10, Duration.ofMinutes(1))
                .withBurst(15)
                .withRefill(Refill.INTERVAL);
        assertThat(acquire(0, policy, 15)).isEqualTo(admitted(policy, 0, 60 * SECOND, 120 * SECOND));
        assertThat(acquire(60 * SECOND - 1, policy, 11))
                .isEqualTo(rejected(policy, 0, 60 * SECOND + 1, 1, 60 * SECOND + 1));
        assertThat(acquire(65 * SECOND, policy, 3)).isEqualTo(admitted(policy, 7, 55 * SECOND, 55 * SECOND));
        assertThat(peek(120 * SECOND, policy, 1)).isEqualTo(admitted(policy, 15, 0, 0));
        assertThat(acquire(200 * SECOND, policy, 1)).isEqualTo(admitted(policy, 14, 60 * SECOND, 60 * SECOND));
    }

    /**
     * Nine of ten are gone, one is there, ten are taken: nine in debt, and one a second comes
     * back.
     */
    @Test
    void aBorrowingRequestPassesAsSoonAsOneTokenIsThere() {
        Policy policy = Policy.of("p", TOKEN_BUCKET, 10, TEN_SECONDS).borrowing();
        acquire(0, policy, 9);
        assertThat(acquire(0, policy, 10)).isEqualTo(admitted(policy, 0, 10 * SECOND, 19 * SECOND));
        assertThat(acquire(0, policy, 10)).isEqualTo(rejected(policy, 0, 10 * SECOND, 10 * SECOND, 19 * SECOND));
    }

    /** A slot every 2 s, no request waits longer than 4 s: one runs, two wait. */
    @Test
    void aLeakyBucketHoldsEachRequestForItsSlot() {
        Policy policy = Policy.leakyBucket("p", 5, TEN_SECONDS, Duration.ofSeconds(4));
        assertThat(acquire(0, policy, 1)).isEqualTo(held(policy, 2, 0, 2 * SECOND, 2 * SECOND));
        assertThat(acquire(0, policy, 1)).isEqualTo(held(policy, 1, 2 * SECOND, 2 * SECOND, 4 * SECOND));
        assertThat(acquire(0, policy, 1)).isEqualTo(held(policy, 0, 4 * SECOND, 2 * SECOND, 6 * SECOND));
        assertThat(acquire(0, policy, 1)).isEqualTo(rejected(policy, 0, 2 * SECOND, 2 * SECOND, 6 * SECOND));
        Check impatient = new Check(policy, ALICE, 1, "", SECOND);
        assertThat(model.acquire(CheckGroup.of(impatient), START).results())
                .containsExactly(rejected(policy, 0, 5 * SECOND, 2 * SECOND, 6 * SECOND));
        assertThat(acquire(2 * SECOND, policy, 1)).isEqualTo(held(policy, 0, 4 * SECOND, 2 * SECOND, 6 * SECOND));
    }

    @Test
    void aSlotIsGivenBackOnlyWhileItIsTheLast() {
        Policy policy = Policy.leakyBucket("p", 5, TEN_SECONDS, Duration.ofSeconds(4));
        CheckGroup group = CheckGroup.of(Check.of(policy, ALICE));
        Token first = model.acquire(group, START).token();
        Token second = model.acquire(group, START).token();
        assertThat(model.refund(first, START)).isFalse();
        assertThat(model.refund(second, START)).isTrue();
        assertThat(acquire(0, policy, 1).runAfterMicros()).isEqualTo(2 * SECOND);
    }

    @Test
    void aLeaseIsHeldUntilItExpiresOrIsGivenBackAndAskingAgainRenewsIt() {
        Policy policy = Policy.of("p", CONCURRENCY, 2, TEN_SECONDS);
        assertThat(lease(0, policy, "a").results()).containsExactly(admitted(policy, 1, SECOND, SECOND));
        Token b = lease(4 * SECOND, policy, "b").token();
        assertThat(lease(5 * SECOND, policy, "c").results())
                .containsExactly(rejected(policy, 0, SECOND, SECOND, SECOND));
        assertThat(lease(9 * SECOND, policy, "a").admitted()).isTrue();
        assertThat(lease(14 * SECOND - 1, policy, "c").admitted()).isFalse();
        assertThat(lease(14 * SECOND, policy, "c").admitted()).isTrue();
        assertThat(model.refund(b, START + 14 * SECOND)).isFalse();
        assertThat(lease(19 * SECOND, policy, "d").admitted()).isTrue();
        assertThat(peek(24 * SECOND, policy, 1)).isEqualTo(admitted(policy, 1, SECOND, SECOND));
        assertThat(peek(29 * SECOND, policy, 1)).isEqualTo(admitted(policy, 2, 0, 0));
    }

    @Test
    void aGroupIsTakenAsAWholeOrNotAtAll() {
        Policy wide = Policy.of("wide", GCRA, 5, TEN_SECONDS);
        Policy narrow = Policy.of("narrow", GCRA, 1, TEN_SECONDS);
        CheckGroup both = CheckGroup.of(Check.of(wide, ALICE), Check.of(narrow, ALICE));
        assertThat(model.acquire(both, START).results())
                .containsExactly(
                        admitted(wide, 4, 2 * SECOND, 2 * SECOND), admitted(narrow, 0, 10 * SECOND, 10 * SECOND));
        Outcome second = model.acquire(both, START);
        assertThat(second.admitted()).isFalse();
        assertThat(second.token()).isNull();
        assertThat(second.results())
                .containsExactly(
                        admitted(wide, 4, 2 * SECOND, 2 * SECOND),
                        rejected(narrow, 0, 10 * SECOND, 10 * SECOND, 10 * SECOND));
    }

    @Test
    void aShadowIsChargedWhenItFitsAndHasNoSay() {
        Policy wide = Policy.of("wide", GCRA, 5, TEN_SECONDS);
        Policy narrow = Policy.of("narrow", GCRA, 1, TEN_SECONDS).asShadow();
        CheckGroup both = CheckGroup.of(Check.of(wide, ALICE), Check.of(narrow, ALICE));
        assertThat(model.acquire(both, START).results().get(1))
                .isEqualTo(admitted(narrow, 0, 10 * SECOND, 10 * SECOND));
        Outcome second = model.acquire(both, START);
        assertThat(second.admitted()).isTrue();
        assertThat(second.results())
                .containsExactly(
                        admitted(wide, 3, 2 * SECOND, 4 * SECOND),
                        rejected(narrow, 0, 10 * SECOND, 10 * SECOND, 10 * SECOND));
    }

    @Test
    void aPeekLeavesEverythingAsItWas() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        assertThat(peek(0, policy, 5)).isEqualTo(admitted(policy, 5, 0, 0));
        assertThat(peek(0, policy, 5)).isEqualTo(admitted(policy, 5, 0, 0));
    }

    @Test
    void aChargeIsNeverRefusedAndMakesNoMoreDebtThanOneQuota() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        acquire(0, policy, 5);
        assertThat(model.charge(policy, ALICE, 7, START))
                .isEqualTo(new ChargeResult(policy, 5, 2, 0, 12 * SECOND, 20 * SECOND));
        assertThat(acquire(12 * SECOND, policy, 1).admitted()).isTrue();
    }

    @Test
    void aRefundGivesBackWhatHasNotLeakedAndOnlyOnce() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        Token all =
                model.acquire(CheckGroup.of(new Check(policy, ALICE, 5)), START).token();
        assertThat(model.refund(all, START + 4 * SECOND)).isTrue();
        assertThat(model.refund(all, START + 4 * SECOND)).isFalse();
        assertThat(acquire(4 * SECOND, policy, 5)).isEqualTo(admitted(policy, 0, 2 * SECOND, 10 * SECOND));
        Token one = model.acquire(CheckGroup.of(Check.of(policy, ALICE)), START + 6 * SECOND)
                .token();
        assertThat(model.refund(one, START + 16 * SECOND)).isFalse();
    }

    /**
     * At 0 s five are taken, one at a time; at 2 s one has leaked. A refund of all five must not
     * give six.
     */
    @Test
    void refundsTogetherGiveNoMoreThanTheBucketHolds() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        List<Token> tokens = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tokens.add(
                    model.acquire(CheckGroup.of(Check.of(policy, ALICE)), START).token());
        }
        tokens.forEach(token -> model.refund(token, START + 2 * SECOND));
        acquire(2 * SECOND, policy, 5);
        assertThat(acquire(2 * SECOND, policy, 1).admitted()).isFalse();
    }

    @Test
    void windowsTakeBackInTheSameWindowOnly() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS).alignedToTheClock();
        CheckGroup group = CheckGroup.of(new Check(policy, ALICE, 2));
        Token early = model.acquire(group, START).token();
        Token late = model.acquire(group, START).token();
        assertThat(model.refund(early, START + 10 * SECOND - 1)).isTrue();
        assertThat(peek(10 * SECOND - 1, policy, 1).remaining()).isEqualTo(3);
        assertThat(model.refund(late, START + 10 * SECOND)).isFalse();
    }

    @Test
    void aLimitThatIsLoweredAndRaisedFindsWhatWasCounted() {
        Policy ten = Policy.of("p", FIXED_WINDOW, 10, TEN_SECONDS).alignedToTheClock();
        Policy five = Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS).alignedToTheClock();
        acquire(0, ten, 8);
        assertThat(acquire(0, five, 1))
                .as("3 units more than the lower limit has")
                .isEqualTo(new CheckResult(five, false, 0, 8, 0, 10 * SECOND, 10 * SECOND, 10 * SECOND, false));
        assertThat(acquire(0, ten, 1)).isEqualTo(admitted(ten, 1, 10 * SECOND, 10 * SECOND));
    }

    /**
     * The float next to 10,000,000 · (1 + 2^-22) + 1 is 10,000,003: so much backlog is believed,
     * and not an hour more.
     */
    @Test
    void aClockThatStepsBackLocksNoCallerOut() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        acquire(0, policy, 5);
        long earlier = -3_600 * SECOND;
        CheckResult result = rejected(policy, 0, 2 * SECOND + 3, 2 * SECOND + 3, 10 * SECOND + 3);
        assertThat(peek(earlier, policy, 1)).isEqualTo(result);
        assertThat(acquire(earlier, policy, 1)).isEqualTo(result);
        assertThat(acquire(earlier + 2 * SECOND + 3, policy, 1).admitted()).isTrue();
    }

    @Test
    void aLogWhoseClockStepsBackStartsAgainWithWhatIsInside() {
        Policy policy = Policy.of("p", SLIDING_LOG, 5, TEN_SECONDS);
        acquire(0, policy, 2);
        acquire(10 * SECOND, policy, 1);
        acquire(11 * SECOND, policy, 3);
        assertThat(acquire(-3_600 * SECOND, policy, 2))
                .isEqualTo(rejected(policy, 1, 10 * SECOND, 10 * SECOND, 10 * SECOND));
        assertThat(acquire(-3_590 * SECOND, policy, 5).admitted()).isTrue();
    }

    @Test
    void whatWasResetIsFull() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        acquire(0, policy, 5);
        model.reset(policy, ALICE);
        assertThat(peek(0, policy, 1)).isEqualTo(admitted(policy, 5, 0, 0));
    }

    private CheckResult acquire(long micros, Policy policy, long cost) {
        return model.acquire(CheckGroup.of(new Check(policy, ALICE, cost)), START + micros)
                .results()
                .get(0);
    }

    private CheckResult peek(long micros, Policy policy, long cost) {
        return model.peek(CheckGroup.of(new Check(policy, ALICE, cost)), START + micros)
                .get(0);
    }

    private Outcome lease(long micros, Policy policy, String name) {
        return model.acquire(CheckGroup.of(Check.ofLease(policy, ALICE, name)), START + micros);
    }

    private static CheckResult admitted(Policy policy, long remaining, long next, long reset) {
        return new CheckResult(policy, true, remaining, 0, next, reset);
    }

    private static CheckResult held(Policy policy, long remaining, long run, long next, long reset) {
        return new CheckResult(policy, true, remaining, policy.capacity() - remaining, run, 0, next, reset, false);
    }

    private static CheckResult rejected(Policy policy, long remaining, long retry, long next, long reset) {
        return new CheckResult(policy, false, remaining, retry, next, reset);
    }
}
