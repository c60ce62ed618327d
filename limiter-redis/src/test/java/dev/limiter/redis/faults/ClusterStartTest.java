package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisErrorException;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.SlotMigration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster that changed since the start, or that is incomplete. */
@Tag("store")
class ClusterStartTest {
    private static final Policy TWO = Limiters.counter("two", 2);
    private static final Policy FIVE = Limiters.counter("five", 5);
    private static RedisCluster cluster;

    private final LogAssertions told = new LogAssertions();
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

    /**
     * Two keys of a slot that moves need not be on one node, so that Redis decides a group only
     * when it has moved.
     */
    @Test
    void saysWhatItCannotDecideWhileAGroupIsInTwoPlaces() {
        PartitionKey key = Limiters.key("torn");
        CheckGroup both = CheckGroup.of(Check.of(TWO, key), Check.of(FIVE, key));
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
        assertThat(decision.results()).extracting(answer -> answer.remaining()).containsExactly(0L, 4L);
        assertThat(limiter.acquire(both).admitted()).isFalse();
    }

    /** Only the ports of nodes are told, in the table of slots and where a slot has moved. */
    @Test
    void nodesWithoutAHostHaveThatOfTheNodeThatWasAsked() {
        String[] setting = {"CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint"};
        assumeTrue(isTaken(setting), "this store always tells hosts");
        try (RateLimiter late = Limiters.closed(cluster.uri(), told, Limiters.PATIENT)) {
            for (int i = 0; i < 50; i++) {
                assertThat(Limiters.outcome(late, FIVE, Limiters.key("unknown " + i)))
                        .isEqualTo("admitted by the store");
            }
            PartitionKey key = Limiters.key("unknown 0");
            int slot = cluster.slotOf(late.storeKey(FIVE, key));
            cluster.migrateSlot(slot, another(slot));
            assertThat(Limiters.outcome(late, FIVE, key)).isEqualTo("admitted by the store");
            assertThat(Limiters.used(late, FIVE, key)).isEqualTo(2);
            assertThat(told.errors()).isEmpty();
        } finally {
            everyMaster("CONFIG", "SET", "cluster-preferred-endpoint-type", "ip");
        }
    }

    private static boolean isTaken(String... setting) {
        try {
            everyMaster(setting);
            return true;
        } catch (RedisErrorException unknown) {
            return false;
        }
    }

    /** One node of a cluster is no single server. */
    @Test
    void aNodeThatIsTakenForASingleServerSaysWhatToWrite() {
        for (RedisServer node : masters()) {
            LogAssertions ofNode = new LogAssertions();
            try (LogLines log = new LogLines();
                    RateLimiter single = Limiters.local(node.uri(), ofNode, Limiters.PATIENT)) {
                for (int i = 0; i < 30; i++) {
                    single.acquire(TWO, Limiters.key("single " + i));
                }
                assertThat(log.lines())
                        .first()
                        .asString()
                        .contains("127.0.0.1:" + node.port() + " is a node of a cluster")
                        .contains("write redis-cluster:// in limiter.redis.uri");
                assertThat(ofNode.open()).isSubsetOf("127.0.0.1:" + node.port());
            }
        }
    }

    /** Neither at the start nor later does it count against a server that owns other slots. */
    @Test
    void aSlotWithoutAnOwnerDoesNotAffectTheOthers() {
        PartitionKey key = Limiters.key("nobody's");
        int slot = slot(key);
        RedisServer keeper = cluster.masterOf(slot);
        everyMaster("CONFIG", "SET", "cluster-require-full-coverage", "no");
        everyMaster("CLUSTER", "DELSLOTS", Integer.toString(slot));
        try (LogLines log = new LogLines();
                RateLimiter late = Limiters.closed(cluster.uri(), told, Limiters.PATIENT)) {
            for (int i = 0; i < 50; i++) {
                assertThat(Limiters.outcome(late, TWO, key)).isEqualTo("unavailable");
                assertThat(Limiters.outcome(late, TWO, Limiters.key("kept " + i)))
                        .isEqualTo("admitted by the store");
            }
            assertThat(log.lines()).noneMatch(line -> line.startsWith("LIM11"));
            assertThat(told.errors()).isEqualTo(Map.of(StoreError.CLUSTER, 50));
            assertThat(told.reasons()).isEmpty();
            keeper.command("CLUSTER", "ADDSLOTS", Integer.toString(slot));
            Moments.until(
                    "somebody keeps it", () -> Limiters.outcome(late, TWO, key).equals("admitted by the store"));
            Moments.until(
                    "every master knows who keeps it",
                    () -> masters().stream()
                            .allMatch(node -> node.command("CLUSTER", "INFO")
                                    .toString()
                                    .contains("cluster_slots_assigned:16384")));
        } finally {
            everyMaster("CONFIG", "SET", "cluster-require-full-coverage", "yes");
        }
    }

    private static void everyMaster(String... command) {
        masters().forEach(node -> node.command(command));
    }

    private static List<RedisServer> masters() {
        return cluster.nodes().subList(0, 3);
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
