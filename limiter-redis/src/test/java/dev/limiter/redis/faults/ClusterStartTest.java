package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.SlotMigration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster that is not as it was, or not as it should be, when it is asked. */
class ClusterStartTest {
    private static final Policy TWO = Limiters.counter("two", 2);
    private static final Policy FIVE = Limiters.counter("five", 5);
    private static RedisCluster cluster;

    private final Told told = new Told();
    private RateLimiter limiter;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 1);
        cluster.kill(cluster.nodes().get(5));
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        limiter = Limiters.closed(cluster.uri(), told, Limiters.PATIENT);
    }

    @AfterEach
    void close() {
        limiter.close();
    }

    @Test
    void decidesInEverySlotAlthoughAReplicaIsDead() {
        for (int i = 0; i < 50; i++) {
            PartitionKey key = Limiters.key("user " + i);
            assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
            assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
            assertThat(limiter.acquire(TWO, key).admitted()).isFalse();
        }
        assertThat(told.errors()).isEmpty();
        assertThat(told.open()).isEmpty();
    }

    @Test
    void goesAfterASlotThatHasMoved() {
        PartitionKey key = Limiters.key("moved");
        assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
        int slot = slot(key);
        cluster.migrateSlot(slot, another(slot));
        assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
        assertThat(limiter.acquire(TWO, key).admitted()).isFalse();
        assertThat(told.errors()).isEmpty();
    }

    /** A key that is new when its slot moves is kept where the slot moves to. */
    @Test
    void asksWhereItIsSentWhileASlotMoves() {
        PartitionKey key = Limiters.key("asked");
        int slot = slot(key);
        SlotMigration migration = cluster.beginMigration(slot, another(slot));
        assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
        assertThat(migration.to().command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                .isEqualTo("1");
        assertThat(limiter.acquire(TWO, key).admitted()).isTrue();
        assertThat(limiter.acquire(TWO, key).admitted()).isFalse();
        migration.moveKeys();
        migration.finish();
        assertThat(limiter.acquire(TWO, key).admitted()).isFalse();
        assertThat(told.errors()).isEmpty();
    }

    /** Two keys of a slot that moves need not be on one node, so that Redis decides a group only when it has moved. */
    @Test
    void saysWhatItCannotDecideWhileAGroupIsInTwoPlaces() {
        PartitionKey key = Limiters.key("torn");
        Group both = Group.of(Demand.of(TWO, key), Demand.of(FIVE, key));
        limiter.acquire(TWO, key);
        int slot = slot(key);
        SlotMigration migration = cluster.beginMigration(slot, another(slot));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(both))
                .withMessageContaining("TRYAGAIN");
        assertThat(told.errors()).isEqualTo(Map.of(StoreError.CLUSTER, 1));
        assertThat(told.ambiguous()).isZero();
        migration.moveKeys();
        migration.finish();
        Decision decision = limiter.acquire(both);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.answers()).extracting(answer -> answer.remaining()).containsExactly(0L, 4L);
        assertThat(limiter.acquire(both).admitted()).isFalse();
    }

    private int slot(PartitionKey key) {
        return cluster.slotOf(limiter.storeKey(TWO, key));
    }

    private static RedisServer another(int slot) {
        RedisServer keeper = cluster.masterOf(slot);
        return cluster.nodes().stream()
                .limit(3)
                .filter(node -> node != keeper)
                .findFirst()
                .orElseThrow();
    }
}
