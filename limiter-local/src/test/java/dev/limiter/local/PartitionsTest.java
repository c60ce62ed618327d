package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Demand;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** However callers choose their keys and costs, the memory is bounded. */
class PartitionsTest {
    private static final Policy LOG = Policy.of("log", Algorithm.SLIDING_LOG, 100_000, Duration.ofSeconds(10));
    private static final Policy LEASES = Policy.concurrency("leases", 100_000);
    private static final long MAX_BYTES = 1_000_000;
    private static final long NOW = 1_700_000_000_000_000L;

    private final Partitions partitions = new Partitions(1_000, MAX_BYTES);

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
    void longKeysCountAsWell() {
        for (int i = 0; i < 900; i++) {
            charge(Policy.of("p", Algorithm.GCRA, 1, Duration.ofSeconds(1)), i + "x".repeat(1_000), 1);
            partitions.sweep(NOW - 1, 1);
        }
        assertThat(partitions.bytes()).isLessThan(MAX_BYTES + 10_000);
        assertThat(partitions.size()).isLessThan(500);
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

    private void charge(Policy policy, String user, long cost) {
        charge(policy, user, cost, NOW);
    }

    private void charge(Policy policy, String user, long cost, long now) {
        partitions.sweep(now, 1);
        Demand demand = new Demand(policy, PartitionKey.of("user", user), cost);
        Cell cell = partitions.cell(demand);
        long before = cell.bytes();
        cell.read(demand, now, false);
        cell.charge(demand, now);
        partitions.resized(cell, before);
    }
}
