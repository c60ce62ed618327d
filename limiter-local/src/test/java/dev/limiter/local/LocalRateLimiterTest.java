package dev.limiter.local;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.spi.BlockingAcquire;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LocalRateLimiterTest {
    private static final Policy GATE = Policy.of("buyer", UNIFORM, 1, Duration.ofSeconds(10));
    private static final Policy SHOW = Policy.of("show", SLIDING_LOG, 100, Duration.ofSeconds(10));

    private final VirtualClock clock = new VirtualClock();
    private final MemoryStore memory = new MemoryStore(clock);
    private final LocalRateLimiter limiter = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);

    @Test
    void theFirstOfFivePerTenSecondsLeavesFourAndTheNextComesAfterTwoSeconds() {
        Policy policy = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));
        CheckResult result = limiter.acquire(policy, user("alice")).results().get(0);
        assertThat(result).isEqualTo(new CheckResult(policy, true, 4, 0, 2_000_000, 2_000_000));
    }

    @Test
    void aGroupThatOnePolicyRejectsChargesNone() {
        assertThat(limiter.acquire(ticket()).admitted()).isTrue();
        Decision second = limiter.acquire(ticket());
        assertThat(second.admitted()).isFalse();
        assertThat(second.results().get(0).admitted()).isFalse();
        assertThat(second.results().get(1).admitted()).isTrue();
        assertThat(second.results().get(1).remaining()).isEqualTo(99);
        assertThat(((Decision.Rejected) second).retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aFixedWindowReachesTwiceItsLimitAcrossABoundary() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 5, Duration.ofSeconds(10));
        long untilEnd = limiter.acquire(policy, user("alice")).results().get(0).resetAfterMicros();
        clock.advance(untilEnd + 10_000_000 - 1);
        assertThat(drain(policy)).isEqualTo(5);
        clock.advance(1);
        assertThat(drain(policy)).isEqualTo(5);
    }

    @Test
    void aLimitLoweredInTheMiddleOfAWindowHoldsAtOnce() {
        Policy before = Policy.of("p", SLIDING_LOG, 10, Duration.ofSeconds(10));
        Policy after = Policy.of("p", SLIDING_LOG, 3, Duration.ofSeconds(10));
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.acquire(before, user("alice")).admitted()).isTrue();
            clock.advance(1_000);
        }
        CheckResult result = limiter.acquire(after, user("alice")).results().get(0);
        // Eight of the ten have to leave before a third has room: those of 0 to 7 ms.
        assertThat(result).isEqualTo(new CheckResult(after, false, 0, 9_997_000, 9_997_000, 9_999_000));
    }

    @Test
    void aLeaseThatExpiredBeforeItsReleaseIsTold() {
        AtomicInteger expired = new AtomicInteger();
        MemoryStore store = new MemoryStore(clock, new Signals() {
            @Override
            public void leaseExpired() {
                expired.incrementAndGet();
            }
        });
        LocalRateLimiter told = new LocalRateLimiter(store, span -> {});
        Policy exports = Policy.concurrency("exports", 3);
        Policy imports = Policy.concurrency("imports", 3);
        CheckGroup both = CheckGroup.of(
                Check.of(exports, user("alice")), Check.of(SHOW, user("alice")), Check.of(imports, user("alice")));
        Decision.Admitted inTime = (Decision.Admitted) told.acquire(both);
        clock.advance(29_999_999);
        told.refund(inTime);
        Decision.Admitted first = (Decision.Admitted) told.acquire(both);
        clock.advance(25_000_000);
        told.acquireEach(List.of(both));
        clock.advance(25_000_000);
        told.refund(first);
        Decision.Admitted reset = (Decision.Admitted) told.acquire(both);
        told.reset(exports, user("alice"));
        told.refund(reset);
        assertThat(expired).hasValue(0);

        Decision.Admitted late = (Decision.Admitted) told.acquire(both);
        clock.advance(30_000_000);
        told.refund(late);
        assertThat(expired).as("two of the three charges were leases").hasValue(2);
        told.refund(late);
        assertThat(expired).hasValue(2);
    }

    /** On the real clock, for a lease of 1 ms. */
    @Test
    void theLimiterOfAnApplicationTellsItsSignals() {
        AtomicInteger expired = new AtomicInteger();
        RateLimiter told = new LocalRateLimiterProvider()
                .create("zoo", name -> Optional.empty(), new Signals() {
                    @Override
                    public void leaseExpired() {
                        expired.incrementAndGet();
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

    @Test
    void manyThreadsShareOneLimitExactly() throws Exception {
        Policy policy = Policy.of("p", SLIDING_LOG, 1_000, Duration.ofSeconds(10));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                counts.add(threads.submit(() -> drain(policy)));
            }
            long admitted = 0;
            for (Future<Long> count : counts) {
                admitted += count.get();
            }
            assertThat(admitted).isEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Whatever is taken is given back, by many at once: nothing may be lost or gained on the
     * way.
     */
    @Test
    void manyThreadsGiveBackWhatTheyTook() throws Exception {
        Policy policy = Policy.of("p", SLIDING_LOG, 1_000, Duration.ofSeconds(10));
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                working.add(threads.submit(() -> {
                    for (int round = 0; round < 2_000; round++) {
                        Decision decision = limiter.acquire(policy, user("alice"));
                        assertThat(limiter.refund((Decision.Admitted) decision)).isTrue();
                        assertThat(limiter.peek(policy, user("alice")).remaining())
                                .isGreaterThanOrEqualTo(992);
                    }
                }));
            }
            for (Future<?> each : working) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(limiter.peek(policy, user("alice")).remaining()).isEqualTo(1_000);
    }

    @Test
    void rotatingKeysDoNotFillTheMemory() {
        for (int i = 0; i < 2 * LocalRateLimiter.MAX_PARTITIONS; i++) {
            limiter.acquire(ticketOf("user" + i, "show" + i));
        }
        assertThat(memory.size()).isLessThanOrEqualTo(LocalRateLimiter.MAX_PARTITIONS + 2);
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

    @Test
    void whateverIsCalledIsBoundedAndAPeekLeavesNothing() {
        for (int i = 0; i < 1_000; i++) {
            limiter.peek(GATE, user("user" + i));
            assertThat(limiter.charge(GATE, user("user" + i), 0).charged()).isZero();
        }
        assertThat(memory.size()).isZero();
        for (int i = 0; i < LocalRateLimiter.MAX_PARTITIONS + 1_000; i++) {
            limiter.charge(GATE, user("user" + i), 1);
        }
        assertThat(memory.size()).isLessThanOrEqualTo(LocalRateLimiter.MAX_PARTITIONS + 1);
        List<CheckGroup> groups = new ArrayList<>();
        for (int i = 0; i < LocalRateLimiter.MAX_PARTITIONS + 1_000; i++) {
            groups.add(CheckGroup.of(Check.of(GATE, user("other" + i))));
        }
        limiter.acquireEach(groups);
        assertThat(memory.size()).isLessThanOrEqualTo(LocalRateLimiter.MAX_PARTITIONS + 1);
    }

    /** Only a request repairs what a clock that has stepped back left too far ahead. */
    @Test
    void aRefundWhileTheClockIsBackMovesNothing() {
        Policy policy = Policy.of("p", TOKEN_BUCKET, 1, Duration.ofMinutes(1))
                .withBurst(2)
                .withRefill(Refill.INTERVAL);
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(policy, user("bob"));
        clock.advance(-3_600_000_000L);
        assertThat(limiter.refund(admission)).isFalse();
        clock.advance(3_600_000_000L);
        assertThat(limiter.peek(policy, user("bob")).remaining()).isEqualTo(1);
    }

    /**
     * A unit that has left the window stays out after a refund, also when the clock steps back.
     */
    @Test
    void whatHasLeftTheWindowBeforeARefundStaysOut() {
        limiter.acquire(SHOW, user("bob"));
        clock.advance(5_000_000);
        Decision.Admitted second = (Decision.Admitted) limiter.acquire(SHOW, user("bob"));
        clock.advance(6_000_000);
        assertThat(limiter.refund(second)).isTrue();
        clock.advance(-3_000_000);
        assertThat(limiter.peek(SHOW, user("bob")).remaining()).isEqualTo(100);
    }

    private long drain(Policy policy) {
        long admitted = 0;
        while (limiter.acquire(policy, user("alice")).admitted()) {
            admitted++;
        }
        return admitted;
    }

    private static CheckGroup ticket() {
        return ticketOf("alice", "circus");
    }

    private static CheckGroup ticketOf(String user, String show) {
        return CheckGroup.of(Check.of(GATE, user(user)), Check.of(SHOW, PartitionKey.of("path:show", show)));
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("user", name);
    }
}
