package dev.limiter.local;

import static dev.limiter.OnStoreFailure.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After a failover the clock of the new server may be behind or ahead. The admissions of this
 * process stay in its mirror.
 */
class StoreClockStepsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy DAILY = Policy.of("daily", Algorithm.FIXED_WINDOW, 100, Duration.ofDays(1));

    private final VirtualClock storeClock = new VirtualClock();
    private final VirtualClock ownClock = new VirtualClock();
    private final LocalRateLimiter inside = new LocalRateLimiter(storeClock);
    private final FailingStore store = new FailingStore(inside);
    private final FallbackRateLimiter node =
            new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(ownClock));

    @ParameterizedTest
    @ValueSource(longs = {-10_000_000, -1_000_000, -900_000, -10_000, -1, 0, 1, 900_000, 10_000_000})
    void aSpentLimitStaysSpent(long stepMicros) {
        inside.acquire(group(50)); // by others
        node.acquire(group(1));
        storeClock.advance(stepMicros);
        for (int i = 0; i < 60; i++) {
            storeClock.advance(10_000);
            ownClock.advance(10_000);
            node.acquire(group(1));
        }
        assertThat(inside.peek(DAILY, ALICE).remaining()).isZero();
        store.state = FailingStore.State.DOWN;
        assertThat(node.acquire(group(1))).isInstanceOf(Decision.Rejected.class);
    }

    /** The last units are admitted within the step, and then the store fails. */
    @ParameterizedTest
    @ValueSource(longs = {-1_000_000, -900_000, -10_000, -1})
    void whatIsAdmittedBehindTheStepIsCounted(long stepMicros) {
        inside.acquire(group(50));
        node.acquire(group(1));
        storeClock.advance(stepMicros);
        ownClock.advance(1);
        node.acquire(group(40));
        store.state = FailingStore.State.DOWN;
        assertThat(node.acquire(group(10))).isInstanceOf(Decision.Rejected.class);
        assertThat(node.acquire(group(9))).isInstanceOf(Decision.Admitted.class);
    }

    /** The clocks differ all the time; the store is asked just before or after a month ends. */
    @ParameterizedTest
    @ValueSource(longs = {-600_000_000, -5_000_000, 0, 5_000_000, 600_000_000, 86_400_000_000L})
    void noFurtherQuotaIsAdmittedAroundTheEndOfAPeriod(long aheadMicros) {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month"));
        long end = plan.period().endMicros(micros(storeClock));
        for (long asked : new long[] {end - 60_000_000, end + 60_000_000}) {
            storeClock.advance(asked - micros(storeClock));
            ownClock.advance(asked + aheadMicros - micros(ownClock));
            store.state = FailingStore.State.UP;
            assertThat(admitted(plan, 20)).isEqualTo(10);
            store.state = FailingStore.State.DOWN;
            for (int second = 0; second < 59; second++) {
                ownClock.advance(1_000_000);
                assertThat(admitted(plan, 1)).isZero();
            }
        }
        ownClock.advance(1_200_000_000);
        assertThat(admitted(plan, 1)).isZero();
    }

    /** By the clock of this process the next month has begun. */
    @Test
    void aChargeCountsInThePeriodOfTheStore() {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month"));
        long before = plan.period().endMicros(micros(storeClock)) - 60_000_000;
        storeClock.advance(before - micros(storeClock));
        ownClock.advance(before + 600_000_000 - micros(ownClock));
        store.state = FailingStore.State.UP;
        assertThat(admitted(plan, 4)).isEqualTo(4);
        node.charge(plan, ALICE, 6);
        store.state = FailingStore.State.DOWN;
        assertThat(admitted(plan, 1)).isZero();
    }

    /**
     * The clocks of two nodes differ by 50 ms, and a third one is away. At 100 a second, 15 units
     * come back in 100 ms and those 50.
     */
    @Test
    void twoClocksGiveNoUnitsBackInTurn() {
        Policy rate = Policy.of("rate", Algorithm.GCRA, 100, Duration.ofSeconds(1));
        Policy wide = Policy.of("wide", Algorithm.GCRA, 1_000_000, Duration.ofSeconds(1));
        assertThat(admitted(rate, 200)).isEqualTo(100);
        int admittedAlone = 0;
        for (int i = 0; i < 100; i++) {
            storeClock.advance(1_000);
            ownClock.advance(1_000);
            for (long ahead : new long[] {50_000, 0}) {
                storeClock.advance(ahead);
                store.state = FailingStore.State.UP;
                node.acquire(wide, PartitionKey.of("ahead", Long.toString(ahead)));
                storeClock.advance(-ahead);
                store.state = FailingStore.State.DOWN;
                admittedAlone += admitted(rate, 20);
            }
        }
        assertThat(admittedAlone).isEqualTo(15);
    }

    private int admitted(Policy policy, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += node.acquire(policy, ALICE).admitted() ? 1 : 0;
        }
        return admitted;
    }

    private static long micros(VirtualClock clock) {
        return clock.instant().getEpochSecond() * 1_000_000 + clock.instant().getNano() / 1_000;
    }

    private static CheckGroup group(long cost) {
        return CheckGroup.of(new Check(DAILY, ALICE, cost));
    }
}
