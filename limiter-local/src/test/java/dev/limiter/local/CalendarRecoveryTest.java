package dev.limiter.local;

import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** After an outage, store and mirror must both admit until the period of the calendar ends. */
class CalendarRecoveryTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final CalendarPeriod MONTH = CalendarPeriod.parse("1 month");
    private static final Policy PLAN = Policy.of("plan", 10, MONTH);
    private static final Instant APRIL = Instant.parse("2024-04-01T00:00:00Z");

    private Instant now = Instant.parse("2024-03-10T12:00:00Z");
    private final FailingStore store = new FailingStore(new LocalRateLimiter(() -> now));
    private final FallbackRateLimiter limiter =
            new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(() -> now));

    @Test
    void bothMustAdmitToTheLastInstantOfThePeriod() {
        store.state = DOWN;
        assertThat(admitted(PLAN, 4)).isEqualTo(4);
        store.state = UP;
        now = APRIL.minusNanos(1_000);
        assertThat(admitted(PLAN, 20)).as("of the rest of ten").isEqualTo(6);
        now = APRIL;
        assertTheStoreAloneDecides(PLAN);
    }

    @Test
    void chargesDoTheSame() {
        store.state = DOWN;
        limiter.charge(PLAN, ALICE, 10);
        store.state = UP;
        now = APRIL.minusNanos(1_000);
        assertThat(admitted(PLAN, 1)).isZero();
        now = APRIL;
        assertTheStoreAloneDecides(PLAN);
    }

    /** The period that began in March ends with it, though the next ones begin on the 15th. */
    @Test
    void anotherAnchorDoesNotEndItEarlier() {
        Policy moved = PLAN.in(MONTH.withAnchor("15"));
        assertThat(admitted(PLAN, 1)).isOne();
        store.state = DOWN;
        assertThat(admitted(moved, 4)).isEqualTo(4);
        store.state = UP;
        now = APRIL.minusNanos(1_000);
        assertThat(admitted(moved, 20)).isEqualTo(5);
        now = APRIL;
        assertTheStoreAloneDecides(moved);
    }

    /**
     * Another process began the period, by an anchor that was moved since. So it ends on April 1
     * here, too, and not on April 5.
     */
    @Test
    void thePeriodOfTheStoreIsThatOfTheMirror() {
        Policy before = PLAN.in(MONTH.movable());
        Policy moved = PLAN.in(MONTH.movable().withAnchor("5"));
        for (int i = 0; i < 4; i++) {
            store.inside.acquire(before, ALICE);
        }
        assertThat(admitted(moved, 1)).isOne();
        store.state = DOWN;
        assertThat(admitted(moved, 20)).as("as many as the store has left").isEqualTo(5);
        now = APRIL.minusNanos(1_000);
        assertThat(admitted(moved, 1)).isZero();
        store.state = UP;
        now = APRIL;
        assertThat(admitted(moved, 20)).isEqualTo(10);
    }

    /** The same of a period that is spent: by the anchor of now, another one begins on the 15th. */
    @Test
    void anAnchorThatWasMovedGivesNoFurtherQuotaWithoutTheStore() {
        Policy moved = PLAN.in(MONTH.movable().withAnchor("15"));
        for (int i = 0; i < 10; i++) {
            store.inside.acquire(PLAN.in(MONTH.movable()), ALICE);
        }
        assertThat(admitted(moved, 1)).isZero();
        store.state = DOWN;
        now = APRIL.minusNanos(1_000);
        assertThat(admitted(moved, 1)).isZero();
        now = APRIL;
        assertThat(admitted(moved, 20)).isEqualTo(10);
    }

    /**
     * The store does not know that a period ended on April 1. By the moved anchor it ends one on
     * April 3; the mirror's lasts to May 3.
     */
    @Test
    void anAnchorThatMovesAfterAnOutageGivesNoThirdQuota() {
        now = APRIL.minusSeconds(60);
        store.state = DOWN;
        assertThat(admitted(PLAN.in(MONTH.movable()), 20)).isEqualTo(10);
        store.state = UP;
        now = APRIL;
        Policy moved = PLAN.in(MONTH.movable().withAnchor("3"));
        assertThat(admitted(moved, 20)).isEqualTo(10);
        now = Instant.parse("2024-04-03T00:00:00Z");
        assertThat(admitted(moved, 20)).as("a third within three days").isZero();
        now = Instant.parse("2024-05-03T00:00:00Z");
        assertThat(admitted(moved, 20)).isEqualTo(10);
    }

    /** The store ends the next period before the mirror has begun it. */
    @Test
    void whatWasUsedInTheLastPeriodIsNotUsedInTheNextOne() {
        Policy moves = PLAN.in(MONTH.movable());
        assertThat(admitted(moves, 10)).isEqualTo(10);
        now = APRIL;
        assertThat(admitted(moves, 1)).isOne();
        store.state = DOWN;
        assertThat(admitted(moves, 20)).isEqualTo(9);
    }

    /** A window of one length recovers for a whole window, as before. */
    @Test
    void aWindowOfOneLengthLastsAsLongAsItDid() {
        Policy day = Policy.of("day", Algorithm.FIXED_WINDOW, 10, Duration.ofDays(1));
        store.state = DOWN;
        assertThat(admitted(day, 1)).isOne();
        store.state = UP;
        now = now.plus(Duration.ofDays(1)).minusNanos(1_000);
        assertThat(admitted(day, 10)).isEqualTo(10);
        store.inside.reset(day, ALICE);
        assertThat(admitted(day, 1)).as("the mirror has counted ten").isZero();
        now = now.plusNanos(1_000);
        assertThat(admitted(day, 1)).isOne();
    }

    /** What an operator resets there is there again. */
    private void assertTheStoreAloneDecides(Policy policy) {
        assertThat(admitted(policy, 20)).isEqualTo(10);
        store.inside.reset(policy, ALICE);
        assertThat(admitted(policy, 20)).isEqualTo(10);
    }

    private int admitted(Policy policy, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += limiter.acquire(policy, ALICE).admitted() ? 1 : 0;
        }
        return admitted;
    }
}
