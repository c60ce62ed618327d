package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process knows what a caller has spent in other processes, as far as the store told it. */
class SpentElsewhereTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy MONTHLY = Policy.of("monthly", FIXED_WINDOW, 2_000, Duration.ofDays(30));

    private final VirtualClock clock = new VirtualClock();
    private final LocalRateLimiter shared = new LocalRateLimiter(clock);
    private final List<FailingStore> ways = new ArrayList<>();
    private final List<FallbackRateLimiter> nodes = List.of(node(), node());

    private FallbackRateLimiter node() {
        FailingStore way = new FailingStore(shared);
        ways.add(way);
        return new FallbackRateLimiter(way, LOCAL, 1, Signals.NONE, new FollowingStore(clock));
    }

    @Test
    void aMonthsQuotaThatWasSpentOverTwoProcessesIsSpentWhenTheStoreFails() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(nodes.get(i % 2).acquire(MONTHLY, ALICE).admitted()).isTrue();
        }
        assertThat(nodes.get(0).acquire(MONTHLY, ALICE).admitted()).isFalse();
        fail();
        assertThat(drain(0, MONTHLY)).isZero();
        assertThat(drain(1, MONTHLY)).isZero();
    }

    /** A process may admit as much as the store had left in its last answer. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GATE", "CONCURRENCY", "LEAKY_BUCKET", "UNIFORM"})
    void aProcessAdmitsNoMoreThanTheStoreHadLeftWhenItLastAnswered(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 10, Duration.ofMinutes(1));
        long capacity = policy.capacity();
        nodes.get(0).acquire(policy, ALICE);
        for (int i = 1; i < capacity; i++) {
            assertThat(nodes.get(i < 7 ? 0 : 1).acquire(policy, ALICE).admitted())
                    .isTrue();
        }
        fail();
        assertThat(drain(1, policy)).as("was told that nothing is left").isZero();
        assertThat(drain(0, policy)).as("was told that 3 are left").isEqualTo(capacity - 7);
    }

    /**
     * The node cannot tell its own lost unit from a unit of another node. It counts both, and so
     * admits less, never more.
     */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_LOG", "GCRA"})
    void aCallWhoseAnswerIsLostCountsTwiceIfALaterAnswerHasShownItsUnit(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 10, Duration.ofMinutes(1));
        ways.get(0).beforeItsAnswer = () -> {
            nodes.get(0).acquire(policy, ALICE);
            ways.get(0).state = DOWN;
        };
        assertThat(nodes.get(0).acquire(policy, ALICE).fallback()).isTrue();
        assertThat(drain(0, policy)).as("two calls were admitted").isEqualTo(policy.capacity() - 3);
    }

    /**
     * The store counts the unit until the refund has arrived; the mirror must not take it for a
     * unit of another process.
     */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_LOG", "GCRA"})
    void aRequestWhileARefundIsOnItsWayCostsOneUnit(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 10, Duration.ofMinutes(1));
        Decision.Admitted admission = (Decision.Admitted) nodes.get(0).acquire(CheckGroup.of(Check.of(policy, ALICE)));
        ways.get(0).meanwhile = () -> nodes.get(0).acquire(policy, ALICE);
        assertThat(nodes.get(0).refund(admission)).isTrue();
        fail();
        assertThat(drain(0, policy)).isEqualTo(policy.capacity() - 1);
    }

    /** A rejection shows it, too, and is recorded once, however often it is repeated. */
    @Test
    void aProcessThatOnlyRejectedKnowsThatAllIsSpent() {
        Policy log = Policy.of("log", SLIDING_LOG, 10, Duration.ofMinutes(1));
        for (int i = 0; i < 10; i++) {
            nodes.get(0).acquire(log, ALICE);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(nodes.get(1).acquire(log, ALICE).admitted()).isFalse();
        }
        fail();
        assertThat(drain(1, log)).isZero();
        clock.advance(60_000_000);
        assertThat(drain(1, log)).isEqualTo(10);
    }

    /**
     * Units came back after a rejection, and others took them. The next rejection shows it, also
     * within the second.
     */
    @Test
    void aRejectionIsHeardAgainAfterARefund() {
        CheckGroup half = CheckGroup.of(new Check(MONTHLY, ALICE, 1_000));
        Decision.Admitted admission = (Decision.Admitted) nodes.get(0).acquire(half);
        nodes.get(1).acquire(half);
        assertThat(nodes.get(0).acquire(MONTHLY, ALICE).admitted()).isFalse();
        nodes.get(0).refund(admission);
        nodes.get(1).acquire(half);
        assertThat(nodes.get(0).acquire(MONTHLY, ALICE).admitted()).isFalse();
        fail();
        assertThat(drain(0, MONTHLY)).isZero();
    }

    @Test
    void aRejectionIsHeardAgainAfterAReset() {
        CheckGroup all = CheckGroup.of(new Check(MONTHLY, ALICE, 2_000));
        nodes.get(1).acquire(all);
        assertThat(nodes.get(0).acquire(MONTHLY, ALICE).admitted()).isFalse();
        nodes.get(0).reset(MONTHLY, ALICE);
        nodes.get(1).acquire(all);
        assertThat(nodes.get(0).acquire(MONTHLY, ALICE).admitted()).isFalse();
        fail();
        assertThat(drain(0, MONTHLY)).isZero();
    }

    /** If a policy rejects a group, the results of the other policies are not followed. */
    @Test
    void onlyResultsThatRejectAreFollowed() {
        Policy gate = Policy.of("gate", UNIFORM, 1, Duration.ofMinutes(1));
        CheckGroup group = CheckGroup.of(Check.of(gate, ALICE), Check.of(MONTHLY, ALICE));
        nodes.get(0).acquire(group);
        assertThat(nodes.get(1).acquire(group).admitted()).isFalse();
        fail();
        assertThat(nodes.get(1).peek(gate, ALICE).remaining()).isZero();
        assertThat(nodes.get(1).peek(MONTHLY, ALICE).remaining()).isEqualTo(2_000);
    }

    /**
     * A second later a rejection is recorded again: units that were given back and spent once
     * more are spent.
     */
    @Test
    void aRejectionIsHeardAgainAfterASecond() {
        Policy log = Policy.of("log", SLIDING_LOG, 2, Duration.ofMinutes(1));
        nodes.get(0).acquire(log, ALICE);
        Decision second = nodes.get(1).acquire(log, ALICE);
        assertThat(nodes.get(1).acquire(log, ALICE).admitted()).isFalse();
        nodes.get(1).refund((Decision.Admitted) second);
        nodes.get(0).acquire(log, ALICE);
        clock.advance(1_000_000);
        assertThat(nodes.get(1).acquire(log, ALICE).admitted()).isFalse();
        fail();
        assertThat(drain(1, log)).isZero();
    }

    /** The part of one of four processes ends where the store's last answer did. */
    @Test
    void aPartIsSpentWhenTheStoreHasNothingLeft() {
        FailingStore way = new FailingStore(shared);
        FallbackRateLimiter quarter = new FallbackRateLimiter(way, LOCAL, 4, Signals.NONE, new FollowingStore(clock));
        Policy policy = Policy.of("p", FIXED_WINDOW, 8, Duration.ofMinutes(1));
        for (int i = 0; i < 6; i++) {
            nodes.get(0).acquire(policy, ALICE);
        }
        assertThat(quarter.acquire(policy, ALICE).admitted()).isTrue();
        assertThat(quarter.peek(policy, ALICE).remaining()).isEqualTo(1);
        way.state = DOWN;
        assertThat(quarter.acquire(policy, ALICE).admitted()).isTrue();
        assertThat(quarter.acquire(policy, ALICE).admitted()).isFalse();
    }

    /**
     * While the store answers, the mirror is not asked: units that come back in the store are
     * there.
     */
    @Test
    void whatIsGivenBackElsewhereIsThereWhileTheStoreAnswers() {
        Decision.Admitted first =
                (Decision.Admitted) nodes.get(0).acquire(CheckGroup.of(new Check(MONTHLY, ALICE, 2_000)));
        assertThat(nodes.get(1).acquire(MONTHLY, ALICE).admitted()).isFalse();
        nodes.get(0).refund(first);
        assertThat(nodes.get(1).acquire(MONTHLY, ALICE).admitted()).isTrue();
        CheckResult left = nodes.get(1).peek(MONTHLY, ALICE);
        assertThat(left.remaining()).isEqualTo(1_999);
        assertThat(ways.get(1).state).isEqualTo(UP);
    }

    private void fail() {
        ways.forEach(way -> way.state = DOWN);
    }

    private long drain(int node, Policy policy) {
        long admitted = 0;
        while (nodes.get(node).acquire(policy, ALICE).admitted()) {
            admitted++;
        }
        return admitted;
    }
}
