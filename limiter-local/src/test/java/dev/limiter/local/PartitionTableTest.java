package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.local.internal.memory.PartitionEntry;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** However callers choose their keys and costs, the memory is bounded. */
@Tag("proof")
class PartitionTableTest {
    private static final Policy LOG = Policy.of("log", Algorithm.SLIDING_LOG, 100_000, Duration.ofSeconds(10));
    private static final Policy FIVE = Policy.of("five", Algorithm.GCRA, 5, Duration.ofMinutes(15));
    private static final Policy LEASES = Policy.concurrency("leases", 100_000);
    private static final long MAX_BYTES = 1_000_000;
    private static final long NOW = 1_700_000_000_000_000L;

    private final PartitionTable partitions = new PartitionTable(1_000, MAX_BYTES);

    @Test
    void longLogsCrowdEachOtherOut() {
        for (int key = 0; key < 100; key++) {
            for (int i = 0; i < 50; i++) {
                charge(LOG, "user" + key, 1_000);
                assertThat(partitions.bytes()).isLessThan(MAX_BYTES + 1_000_000);
            }
        }
        partitions.sweep(NOW, 1);
        assertThat(partitions.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        assertThat(partitions.size()).isPositive();
    }

    @Test
    void manyLeasesCountAsWell() {
        long most = 0;
        for (int i = 0; i < 10_000; i++) {
            charge(LEASES, "all", 1);
            most = Math.max(most, partitions.bytes());
        }
        assertThat(most).isBetween(MAX_BYTES, MAX_BYTES + 1_000);
    }

    @Test
    void aLongKeyTakesNoMoreThanAShortOne() {
        charge(FIVE, "x", 1);
        long one = partitions.bytes();
        charge(FIVE, "x".repeat(PartitionKey.MAX_VALUE_LENGTH), 1);
        assertThat(partitions.bytes()).isEqualTo(2 * one);
    }

    /**
     * Name, algorithm, refill, window and key tell states apart; members that come with each
     * call do not.
     */
    @Test
    void whatTellsStatesApartTellsPartitionsApart() {
        Duration minute = Duration.ofMinutes(1);
        Policy bucket = Policy.of("p", Algorithm.TOKEN_BUCKET, 5, minute);
        List<Policy> policies = List.of(
                bucket,
                bucket.withRefill(Refill.INTERVAL),
                Policy.of("p", Algorithm.GCRA, 5, minute),
                Policy.of("p", Algorithm.GCRA, 5, Duration.ofMinutes(2)),
                Policy.of("pppp1", Algorithm.GCRA, 5, minute),
                Policy.of("pppp2", Algorithm.GCRA, 5, minute),
                Policy.of("pppp", Algorithm.GCRA, 5, minute));
        Set<PartitionEntry> entries = new HashSet<>();
        for (Policy policy : policies) {
            entries.add(partitions.entry(policy, key("alice")));
            entries.add(partitions.entry(policy, key("bob")));
        }
        assertThat(entries).hasSize(2 * policies.size());
        assertThat(partitions.entry(bucket.withBurst(50).asShadow(), key("alice")))
                .isSameAs(partitions.existing(bucket, key("alice")));
        assertThat(partitions.size()).isEqualTo(2 * policies.size());
    }

    /** Spent partitions leave a quarter of the bytes. */
    @Test
    void fewThatAreSpentAndLargeLeaveRoomForOthers() {
        for (int i = 0; i < 20; i++) {
            chargeSpent("large" + i, 10_000);
        }
        use("new", NOW, NOW);
        chargeSpent("one more", 10_000);
        partitions.sweep(NOW, 1);
        assertThat(isKept("new")).isTrue();
        assertThat(partitions.bytes()).isBetween(MAX_BYTES / 2, MAX_BYTES);
    }

    /**
     * Spent partitions take less than all bytes, but more than three quarters: they go first,
     * though others are older.
     */
    @Test
    void spentOnesBeyondThreeQuartersOfTheBytesGoFirst() {
        for (int i = 0; i < 15; i++) {
            charge(LOG, "other" + i, 1_000);
        }
        for (int i = 0; i < 11; i++) {
            chargeSpent("large" + i, 10_000);
        }
        partitions.sweep(NOW, 1);
        for (int i = 0; i < 15; i++) {
            assertThat(partitions.existing(LOG, key("other" + i))).isNotNull();
        }
    }

    /**
     * After a random history. A spent partition goes only when its unit is back, no other is left,
     * or three quarters are spent, so that newcomers are always counted. Of the spent the soonest
     * goes first, of the others the longest unused.
     */
    @Test
    void aSpentPartitionIsNeverForgottenBeforeAnother() {
        Property.<List<Use>>forAll(dice -> dice.list(
                        1,
                        300,
                        drawn -> new Use(
                                (int) drawn.between(0, 80),
                                drawn.oneOf(0L, 0L, drawn.between(1, 600)),
                                drawn.oneOf(0L, 1L, drawn.between(0, 20)))))
                .tries(5_000)
                .check(PartitionTableTest::areForgottenInOrder);
    }

    /**
     * A use of a partition, some time after the use before, which leaves it spent for a time.
     */
    record Use(int key, long spentFor, long after) {}

    private static void areForgottenInOrder(List<Use> uses) {
        int most = 20;
        PartitionTable few = new PartitionTable(most, MAX_BYTES);
        Map<Integer, Long> known = new LinkedHashMap<>();
        long now = NOW;
        for (Use use : uses) {
            now += use.after();
            few.sweep(now, 1);
            expectForgotten(known, few, most, now);
            few.used(few.entry(FIVE, key("user" + use.key())), now + use.spentFor(), now);
            known.remove(use.key());
            known.put(use.key(), use.spentFor() == 0 ? 0 : now + use.spentFor());
            assertThat(few.size()).isEqualTo(known.size());
        }
    }

    private static void expectForgotten(Map<Integer, Long> known, PartitionTable few, int most, long now) {
        if (known.size() <= most) {
            return;
        }
        List<Integer> gone = known.keySet().stream()
                .filter(key -> few.existing(FIVE, key("user" + key)) == null)
                .toList();
        assertThat(gone).hasSize(1);
        List<Long> spent =
                known.values().stream().filter(until -> until > 0).sorted().toList();
        boolean soonestGoes = spent.size() == known.size()
                || spent.size() > most - most / 4
                || !spent.isEmpty() && spent.get(0) <= now;
        if (soonestGoes) {
            assertThat(known.get(gone.get(0))).isEqualTo(spent.get(0));
        } else {
            assertThat(known.keySet().stream().filter(key -> known.get(key) == 0))
                    .startsWith(gone.get(0));
        }
        known.keySet().removeAll(gone);
    }

    @Test
    void whatIsRemovedAndWhatShrinksIsCountedBack() {
        charge(LOG, "alice", 1_000);
        long used = partitions.bytes();
        for (long later = 1; later < 40; later++) {
            charge(LOG, "alice", 1, NOW + later * 10_000_000);
        }
        assertThat(partitions.bytes()).isLessThan(used / 5);
        partitions.remove(LOG, PartitionKey.of("user", "alice"));
        assertThat(partitions.bytes()).isZero();
    }

    private void use(String user, long spentUntilMicros, long now) {
        partitions.sweep(now, 1);
        PartitionEntry entry = partitions.entry(FIVE, key(user));
        entry.state.read(Check.of(FIVE, key(user)), now, false);
        entry.state.charge(Check.of(FIVE, key(user)), now);
        partitions.used(entry, spentUntilMicros, now);
    }

    private boolean isKept(String user) {
        return partitions.existing(FIVE, key(user)) != null;
    }

    private void chargeSpent(String user, int units) {
        partitions.sweep(NOW, 1);
        PartitionEntry entry = partitions.entry(LOG, key(user));
        for (int i = 0; i < units / 1_000; i++) {
            Check check = new Check(LOG, key(user), 1_000);
            entry.state.read(check, NOW, false);
            entry.state.charge(check, NOW);
        }
        partitions.used(entry, NOW + 1, NOW);
    }

    private static PartitionKey key(String user) {
        return PartitionKey.of("user", user);
    }

    private void charge(Policy policy, String user, long cost) {
        charge(policy, user, cost, NOW);
    }

    private void charge(Policy policy, String user, long cost, long now) {
        partitions.sweep(now, 1);
        Check check = new Check(policy, key(user), cost);
        PartitionEntry entry = partitions.entry(check.policy(), check.key());
        entry.state.read(check, now, false);
        entry.state.charge(check, now);
        partitions.used(entry, now, now);
    }
}
