package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.memory.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waits for admission on a clock that the waits move. No thread sleeps. */
class BlockingAcquireTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualClock clock = new VirtualClock();
    private final long began = clock.micros();

    /** Events while a caller waits: one for each pause. */
    private final Deque<Runnable> meanwhile = new ArrayDeque<>();

    private int pauses;

    private final LocalRateLimiter limiter = new LocalRateLimiter(clock, span -> {
        clock.advance(span.getSeconds() * 1_000_000 + span.getNano() / 1_000);
        pauses++;
        if (!meanwhile.isEmpty()) {
            meanwhile.pop().run();
        }
    });

    @Test
    void aWaitingCallerIsAdmittedExactlyWhenThereIsRoom() throws Exception {
        CheckGroup group = of(Policy.of("p", Algorithm.GCRA, 3, SECOND).withBurst(1));
        assertThat(limiter.acquire(group, SECOND).admitted()).isTrue();
        assertThat(waited()).isZero();
        assertThat(limiter.acquire(group, SECOND).admitted()).isTrue();
        assertThat(waited()).isEqualTo(333_334);
    }

    @Test
    void aWaitThatWouldBeTooLongIsNotBegun() throws Exception {
        CheckGroup group = of(Policy.of("p", Algorithm.SLIDING_LOG, 1, SECOND));
        limiter.acquire(group);
        Decision decision = limiter.acquire(group, Duration.ofMillis(999));
        assertThat(decision.admitted()).isFalse();
        assertThat(waited()).isZero();
    }

    @Test
    void anOvertakenCallerWaitsOnAndGivesUpWithoutACharge() throws Exception {
        Policy policy = Policy.of("p", Algorithm.UNIFORM, 1, SECOND);
        limiter.acquire(of(policy));
        meanwhile.add(() -> limiter.acquire(of(policy)));
        Decision decision = limiter.acquire(of(policy), Duration.ofMillis(1_500));
        assertThat(decision.admitted()).isFalse();
        assertThat(waited()).isEqualTo(1_000_000);
        assertThat(limiter.peek(policy, ALICE).resetAfterMicros()).isEqualTo(1_000_000);
    }

    @Test
    void aSlotIsWaitedFor() throws Exception {
        CheckGroup group = of(Policy.leakyBucket("p", 1, SECOND, Duration.ofSeconds(5)));
        limiter.acquire(group);
        Decision second = limiter.acquire(group, SECOND);
        assertThat(second.admitted()).isTrue();
        assertThat(waited()).isEqualTo(1_000_000);
    }

    @Test
    void aSlotThatIsTooFarIsNotTaken() throws Exception {
        Policy policy = Policy.leakyBucket("p", 1, SECOND, Duration.ofSeconds(5));
        limiter.acquire(of(policy));
        assertThat(limiter.acquire(of(policy), Duration.ofMillis(999)).admitted())
                .isFalse();
        assertThat(waited()).isZero();
        assertThat(limiter.peek(policy, ALICE).resetAfterMicros()).isEqualTo(1_000_000);
    }

    /**
     * The queue holds a caller for at most one second. A caller that waits before it, and then
     * in it, can wait longer.
     */
    @Test
    void aFullQueueIsWaitedForAndThenItsSlot() throws Exception {
        CheckGroup group = of(Policy.leakyBucket("p", 1, SECOND, SECOND));
        limiter.acquire(group);
        limiter.acquire(group);
        assertThat(limiter.acquire(group, Duration.ofMillis(1_999)).admitted()).isFalse();
        assertThat(waited()).isZero();
        assertThat(limiter.acquire(group, Duration.ofSeconds(2)).admitted()).isTrue();
        assertThat(waited()).isEqualTo(2_000_000);
    }

    @Test
    void aLeaseThatComesBackIsTaken() throws Exception {
        Policy policy = Policy.concurrency("p", 1);
        Decision.Admitted first = (Decision.Admitted) limiter.acquire(of(policy));
        meanwhile.add(() -> {});
        meanwhile.add(() -> limiter.refund(first));
        assertThat(limiter.acquire(of(policy), SECOND).admitted()).isTrue();
        assertThat(waited()).isEqualTo(100_000);
        assertThat(limiter.acquire(of(policy), SECOND).admitted()).isFalse();
        assertThat(waited()).isEqualTo(1_100_000);
    }

    @Test
    void anInterruptedCallerGivesItsSlotBack() throws Exception {
        Policy policy = Policy.leakyBucket("p", 1, SECOND, Duration.ofSeconds(5));
        LocalRateLimiter interrupted = new LocalRateLimiter(clock, span -> {
            throw new InterruptedException();
        });
        interrupted.acquire(of(policy));
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> interrupted.acquire(of(policy), Duration.ofSeconds(2)));
        assertThat(interrupted.peek(policy, ALICE).resetAfterMicros()).isEqualTo(1_000_000);
    }

    /**
     * A job waits for a slot and holds a lease. After the interrupt it keeps that single lease.
     */
    @Test
    void aLeaseThatWasHeldBeforeSurvivesAnInterrupt() {
        Policy slot = Policy.leakyBucket("slot", 1, SECOND, Duration.ofSeconds(5));
        Policy jobs = Policy.concurrency("jobs", 2);
        LocalRateLimiter interrupted = new LocalRateLimiter(clock, span -> {
            throw new InterruptedException();
        });
        interrupted.acquire(CheckGroup.of(Check.ofLease(jobs, ALICE, "running")));
        interrupted.acquire(of(slot));
        for (String job : List.of("running", "new")) {
            CheckGroup group = CheckGroup.of(Check.of(slot, ALICE), Check.ofLease(jobs, ALICE, job));
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> interrupted.acquire(group, Duration.ofSeconds(2)));
            assertThat(interrupted.peek(jobs, ALICE).remaining()).as(job).isEqualTo(1);
            assertThat(interrupted.peek(slot, ALICE).resetAfterMicros()).as(job).isEqualTo(1_000_000);
        }
    }

    /** It is spent for longer than the caller waits; what rejects is free again in a second. */
    @Test
    void aSpentShadowNeitherProlongsAWaitNorEndsIt() throws Exception {
        Policy shadow =
                Policy.of("shadow", Algorithm.UNIFORM, 1, Duration.ofSeconds(5)).asShadow();
        CheckGroup group =
                CheckGroup.of(Check.of(shadow, ALICE), Check.of(Policy.of("p", Algorithm.UNIFORM, 1, SECOND), ALICE));
        limiter.acquire(group);
        Decision second = limiter.acquire(group, Duration.ofSeconds(2));
        assertThat(second.admitted()).isTrue();
        assertThat(second.results().get(0).admitted()).isFalse();
        assertThat(waited()).isEqualTo(1_000_000);
    }

    @Test
    void theLongestOfSeveralWaitsIsWaited() throws Exception {
        CheckGroup group = CheckGroup.of(
                Check.of(Policy.of("a", Algorithm.UNIFORM, 1, SECOND), ALICE),
                Check.of(Policy.of("b", Algorithm.UNIFORM, 1, Duration.ofSeconds(3)), ALICE),
                Check.of(Policy.of("c", Algorithm.UNIFORM, 1, Duration.ofSeconds(2)), ALICE));
        limiter.acquire(group);
        int asked = pauses;
        assertThat(limiter.acquire(group, Duration.ofSeconds(5)).admitted()).isTrue();
        assertThat(waited()).isEqualTo(3_000_000);
        assertThat(pauses - asked).isEqualTo(1);
    }

    @Test
    void aLeaseIsAskedForOnceMoreAtTheVeryEnd() throws Exception {
        Policy policy = Policy.concurrency("p", 1);
        limiter.acquire(of(policy));
        assertThat(limiter.acquire(of(policy), Duration.ofMillis(60)).admitted())
                .isFalse();
        assertThat(waited()).isEqualTo(60_000);
    }

    @Test
    void aSlotOfAShadowIsNotWaitedForEither() throws Exception {
        Policy shadow =
                Policy.leakyBucket("shadow", 1, SECOND, Duration.ofSeconds(9)).asShadow();
        CheckGroup group = CheckGroup.of(Check.of(shadow, ALICE));
        limiter.acquire(group, Duration.ZERO);
        Decision second = limiter.acquire(group, Duration.ZERO);
        assertThat(second.results().get(0).runAfterMicros()).isEqualTo(1_000_000);
        assertThat(((Decision.Admitted) second).runAfter()).isZero();
        assertThat(waited()).isZero();
    }

    @Test
    void aWaitWithoutBoundLastsUntilAdmission() throws Exception {
        CheckGroup group = of(Policy.of("p", Algorithm.UNIFORM, 1, Duration.ofDays(366)));
        limiter.acquire(group);
        assertThat(limiter.acquire(group, Duration.ofSeconds(Long.MAX_VALUE)).admitted())
                .isTrue();
        assertThat(waited()).isEqualTo(366L * 24 * 3_600 * 1_000_000);
    }

    @Test
    void aThreadSleepsNoShorterThanItWasAskedTo() throws Exception {
        long before = System.nanoTime();
        BlockingAcquire.Sleeper.OF_THREADS.sleep(Duration.ofNanos(1_400_000));
        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(1_400_000);
    }

    @Test
    void aNegativeWaitIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> limiter.acquire(of(Policy.of("p", Algorithm.GCRA, 3, SECOND)), Duration.ofMillis(-1)))
                .withMessage("atMost must not be negative, was PT-0.001S");
    }

    private long waited() {
        return clock.micros() - began;
    }

    private static CheckGroup of(Policy policy) {
        return CheckGroup.of(Check.of(policy, ALICE));
    }

    /** A limiter of an application's own has no layer that waits. */
    @Test
    void aCallerOfAnyLimiterWaits() throws InterruptedException {
        Policy fast = Policy.leakyBucket("fast", 100, Duration.ofSeconds(1), Duration.ofSeconds(1));
        RateLimiter own = new MemoryStore(InstantSource.system());
        long began = System.nanoTime();
        for (int i = 0; i < 3; i++) {
            assertThat(own.acquire(CheckGroup.of(Check.of(fast, ALICE)), Duration.ofSeconds(1))
                            .admitted())
                    .isTrue();
        }
        assertThat(System.nanoTime() - began)
                .isGreaterThanOrEqualTo(Duration.ofMillis(19).toNanos());
    }
}
