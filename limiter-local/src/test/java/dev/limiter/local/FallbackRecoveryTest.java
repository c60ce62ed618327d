package dev.limiter.local;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What both must admit after the store was away. */
class FallbackRecoveryTest extends FallbackSituation {
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
        assertThat(bucket.rules().mostInAnyWindow()).isEqualTo(6);
    }
}
