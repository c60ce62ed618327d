package dev.limiter.local;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.instances.LocalRateLimiterProvider;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocalRateLimiterTest extends RateLimiterContract.OnAClock {
    private static final Policy GATE = Policy.of("buyer", UNIFORM, 1, Duration.ofSeconds(10));

    private final VirtualClock clock = new VirtualClock();
    private final MemoryStore memory = new MemoryStore(clock);
    private final LocalRateLimiter limiter = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);

    @Test
    void groupsThatAreAskedTogetherSeeOneInstant() {
        AtomicInteger looks = new AtomicInteger();
        RateLimiter ticking = new LocalRateLimiter(() -> Instant.EPOCH.plusSeconds(looks.incrementAndGet()));
        CheckGroup group = CheckGroup.of(Check.of(GATE, user("alice")));
        List<Decision> decisions = ticking.acquireEach(List.of(group, group, group));
        assertThat(decisions).extracting(Decision::atMicros).containsOnly(1_000_000L);
    }

    @Override
    protected RateLimiter limiter() {
        return limiter;
    }

    @Override
    protected RateLimiter limiter(Signals signals) {
        return new LocalRateLimiter(new MemoryStore(clock, signals), span -> {});
    }

    @Override
    protected void advance(long micros) {
        clock.advance(micros);
    }

    @Override
    protected void writingNothing(Runnable call) {
        int before = memory.size();
        call.run();
        assertThat(memory.size()).isEqualTo(before);
    }

    /** On the real clock, for a lease of 1 ms. */
    @Test
    void theLimiterOfAnApplicationTellsItsSignals() {
        AtomicInteger expired = new AtomicInteger();
        RateLimiter told = new LocalRateLimiterProvider()
                .create("zoo", name -> Optional.empty(), new Signals() {
                    @Override
                    public void happened(Incident incident) {
                        expired.addAndGet(incident == Incident.LEASES_EXPIRED ? 1 : 0);
                    }
                })
                .orElseThrow();
        Policy brief = Policy.of("brief", CONCURRENCY, 1, Duration.ofMillis(1));
        Decision.Admitted admission = (Decision.Admitted) told.acquire(brief, user("alice"));
        while (told.peek(brief, user("alice")).remaining() == 0) {
            Thread.onSpinWait();
        }
        told.refund(admission);
        assertThat(expired).hasValue(1);
    }

    /**
     * Whatever is taken is given back, by many at once: nothing may be lost or gained on the
     * way.
     */
    @Test
    void manyThreadsGiveBackWhatTheyTook() throws Exception {
        Policy policy = Policy.of("p", SLIDING_LOG, 1_000, Duration.ofSeconds(10));
        ManyThreads.call(8, () -> {
            for (int round = 0; round < 2_000; round++) {
                Decision decision = limiter.acquire(policy, user("alice"));
                assertThat(limiter.refund((Decision.Admitted) decision)).isTrue();
                assertThat(limiter.peek(policy, user("alice")).remaining()).isGreaterThanOrEqualTo(992);
            }
            return 0L;
        });
        assertThat(limiter.peek(policy, user("alice")).remaining()).isEqualTo(1_000);
    }

    @Test
    void whatIsIdleIsForgottenAndNotAMicrosecondBefore() {
        for (int i = 0; i < 2 * PartitionTable.SWEPT_ABOVE; i++) {
            limiter.acquire(GATE, user("user" + i));
        }
        clock.advance(9_999_999);
        for (int i = 0; i < 2 * PartitionTable.SWEPT_ABOVE; i++) {
            limiter.acquire(GATE, user("same"));
        }
        assertThat(memory.size()).isEqualTo(2 * PartitionTable.SWEPT_ABOVE + 1);
        clock.advance(1);
        for (int i = 0; i < PartitionTable.SWEPT_ABOVE; i++) {
            limiter.acquire(GATE, user("same"));
        }
        assertThat(memory.size()).isBetween(PartitionTable.SWEPT_ABOVE - 1, PartitionTable.SWEPT_ABOVE);
    }

    /**
     * A few partitions that last for a day must not stop the sweep of those that last a tenth of
     * a second.
     */
    @Test
    void whatLastsLongNeitherBlocksTheSweepingNorIsForgotten() {
        Policy daily = Policy.of("daily", UNIFORM, 1, Duration.ofDays(1));
        Policy quick = Policy.of("quick", GCRA, 10, Duration.ofSeconds(1));
        for (int i = 0; i < 3; i++) {
            limiter.acquire(daily, user("daily" + i));
        }
        for (int i = 0; i < 150_000; i++) {
            limiter.acquire(quick, user("quick" + i));
            clock.advance(10_000);
        }
        assertThat(memory.size()).isLessThan(2 * PartitionTable.SWEPT_ABOVE);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.acquire(daily, user("daily" + i)).admitted()).isFalse();
        }
    }

    /** Until any next period is long enough, also while others are swept. */
    @Test
    void thePeriodOfACallerThatMovesItIsRememberedBeyondItsEnd() {
        CalendarPeriod month = CalendarPeriod.parse("1 month").movable();
        Policy plan = Policy.of("plan", 1, month);
        limiter.acquire(plan, user("alice"));
        clock.advance(limiter.peek(plan, user("alice")).resetAfterMicros());
        for (int i = 0; i < 2 * PartitionTable.SWEPT_ABOVE; i++) {
            limiter.acquire(GATE, user("gate" + i));
        }
        clock.advance(1);
        Policy onTheThird = plan.in(month.withAnchor("3")); // today is the first
        assertThat(limiter.acquire(onTheThird, user("alice")).results().get(0).resetAfterMicros())
                .isEqualTo(Duration.ofDays(31 + 2).toMillis() * 1_000 - 1);
        clock.advance(Duration.ofDays(31 + 2 + 28).toMillis() * 1_000);
        for (int i = 0; i < 4 * PartitionTable.SWEPT_ABOVE; i++) {
            limiter.acquire(GATE, user("same"));
        }
        assertThat(memory.size()).as("then it is swept").isLessThanOrEqualTo(PartitionTable.SWEPT_ABOVE);
    }

    /** The clock was a year ahead. A period that was written then keeps no other one waiting. */
    @Test
    void aPeriodOfACallerEndsInTimeAfterTheClockHasSteppedBack() {
        Policy plan = Policy.of("plan", 1, CalendarPeriod.parse("1 month").movable());
        clock.advance(Duration.ofDays(365).toMillis() * 1_000);
        limiter.acquire(plan, user("alice"));
        clock.advance(-Duration.ofDays(365).toMillis() * 1_000);
        CheckResult moved = limiter.acquire(plan, user("alice")).results().get(0);
        assertThat(moved.admitted()).isFalse();
        assertThat(moved.resetAfterMicros())
                .isEqualTo(limiter.acquire(plan, user("bob")).results().get(0).resetAfterMicros());
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }
}
