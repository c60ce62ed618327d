package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.FixedWindow;
import dev.limiter.internal.store.Receipt;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a store in memory learns from the replies of the store that it follows. */
class FollowingStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
    private static final long OWN = NOW.getEpochSecond() * 1_000_000;
    private static final Policy POLICY = Policy.of("p", Algorithm.FIXED_WINDOW, 1_000_000, Duration.ofDays(1));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");
    private static final Check CHECK = Check.of(POLICY, ALICE);

    private Instant now = NOW;
    private final FollowingStore store = new FollowingStore(() -> now);

    /** It was asked 50 ms ago, and has decided at any instant since. */
    @Test
    void anAnswerThatTheOwnClockExplainsMovesNothing() {
        for (int millis = 0; millis <= 50; millis += 10) {
            store.followClock(OWN - millis * 1_000, OWN - 50_000, OWN);
            assertThat(store.nowMicros()).isEqualTo(OWN);
        }
    }

    @Test
    void anAnswerThatItDoesNotExplainMovesAsLittleAsItMust() {
        store.followClock(OWN + 20_000, OWN - 50_000, OWN);
        assertThat(store.nowMicros()).isEqualTo(OWN + 20_000);
        store.followClock(OWN - 30_000, OWN - 50_000, OWN);
        assertThat(store.nowMicros()).as("20 ms ahead at most").isEqualTo(OWN + 20_000);
    }

    /** Nodes of a cluster have clocks of their own, and answer in turn. */
    @Test
    void theClockThatIsAheadIsFollowedWhileItAnswers() {
        long own = OWN;
        for (int i = 0; i < 6; i++) {
            own += 400_000;
            now = now.plusMillis(400);
            store.followClock(own + 20_000, own, own);
            store.followClock(own, own, own);
            assertThat(store.nowMicros()).isEqualTo(own + 20_000);
        }
        now = now.plusNanos(1_000_000_000);
        store.followClock(own + 1_000_000, own + 1_000_000, own + 1_000_000);
        assertThat(store.nowMicros()).as("for a second").isEqualTo(own + 1_020_000);
        now = now.plusNanos(1_000);
        store.followClock(own + 1_000_001, own + 1_000_001, own + 1_000_001);
        assertThat(store.nowMicros()).as("no longer").isEqualTo(own + 1_000_001);
    }

    /** An earlier instant does not replace a later one. The recovery ends at that instant. */
    @Test
    void bothMustAdmitUntilTheLatestInstantThatWasSaid() {
        store.admitBothUntil(POLICY, ALICE, OWN + 100);
        store.admitBothUntil(POLICY, ALICE, OWN + 50);
        now = NOW.plusNanos(99_000);
        assertThat(store.mustAdmitBoth(POLICY, ALICE)).isTrue();
        assertThat(store.mustAdmitBoth(POLICY, BOB)).isFalse();
        now = NOW.plusNanos(100_000);
        assertThat(store.mustAdmitBoth(POLICY, ALICE)).isFalse();
    }

    /** The month of an answer ends 1 ms after it. */
    @Test
    void whatOthersUsedIsFollowedToTheLastInstantOfItsPeriod() {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month"));
        Instant december = Instant.parse("2026-12-01T00:00:00Z");
        long at = december.getEpochSecond() * 1_000_000 - 1_000;
        CheckResult spent = new CheckResult(plan, false, 0, 1_000, 1_000, 1_000);
        now = december.minusNanos(1_000);
        store.recordRejection(Check.of(plan, ALICE), spent, at, at);
        assertThat(remaining(plan, ALICE)).isZero();
        now = december;
        store.recordRejection(Check.of(plan, BOB), spent, at, at);
        assertThat(remaining(plan, BOB)).isEqualTo(10);
    }

    private long remaining(Policy policy, PartitionKey key) {
        return store.peek(CheckGroup.of(Check.of(policy, key))).get(0).remaining();
    }

    @Test
    void whatManyHandInAtOnceIsWrittenOnceEach() throws Exception {
        List<CheckResult> admitted = List.of(new CheckResult(POLICY, true, POLICY.limit() - 1, 0, 1, 1));
        Receipt theirs = new Receipt(List.of(CHECK), List.of(new FixedWindow.Snapshot(true, 0, 1)), 0);
        ManyThreads.call(8, () -> {
            for (int i = 0; i < 5_000; i++) {
                Receipt receipt = store.recordAdmission(new Check[] {CHECK}, admitted, theirs, 0);
                if (i % 5 == 0) {
                    assertThat(store.refund(receipt)).isTrue();
                }
            }
            return null;
        });
        assertThat(POLICY.limit() - store.peek(CheckGroup.of(CHECK)).get(0).remaining())
                .isEqualTo(8 * 4_000);
    }
}
