package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedisClusterTest {

    @Test
    void replicaTakesOverAndSlotsMove() {
        try (RedisCluster cluster = RedisCluster.start(3, 1)) {
            assertThat(cluster.nodes()).hasSize(6);
            assertThat(cluster.uri()).matches("redis://127\\.0\\.0\\.1:\\d+(,127\\.0\\.0\\.1:\\d+){5}");
            assertThat(List.of(cluster.masterOf(0), cluster.masterOf(8_192), cluster.masterOf(16_383)))
                    .isEqualTo(cluster.nodes().subList(0, 3));

            movesASlotInTwoHalves(cluster);
            promotesAReplica(cluster);
        }
    }

    private static void movesASlotInTwoHalves(RedisCluster cluster) {
        int slot = cluster.slotOf("{tag}");
        RedisServer from = cluster.masterOf(slot);
        RedisServer to = cluster.nodes().subList(0, 3).stream()
                .filter(node -> node != from)
                .findFirst()
                .orElseThrow();
        IntStream.range(0, 250).forEach(i -> from.command("SET", "{tag}" + i, "v"));
        assertThatThrownBy(() -> to.command("GET", "{tag}0"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessage("MOVED " + slot + " 127.0.0.1:" + from.port());

        SlotMigration migration = cluster.beginMigration(slot, to);
        assertThat(from.command("GET", "{tag}0")).isEqualTo("v");
        assertThatThrownBy(() -> from.command("GET", "{tag}new")).hasMessage("ASK " + slot + " 127.0.0.1:" + to.port());
        try (RespConnection asking = to.connect()) {
            asking.call("ASKING");
            assertThat(asking.call("SET", "{tag}new", "v")).isEqualTo("OK");
        }
        assertThatThrownBy(migration::finish).isInstanceOf(IllegalStateException.class);

        migration.moveKeys();
        assertThat(from.command("DBSIZE")).isEqualTo("0");
        migration.finish();
        assertThat(cluster.masterOf(slot)).isSameAs(to);
        assertThat(to.command("MGET", "{tag}249", "{tag}new")).isEqualTo(List.of("v", "v"));

        cluster.migrateSlot(slot, from);
        assertThat(from.command("DBSIZE")).isEqualTo("251");
    }

    private static void promotesAReplica(RedisCluster cluster) {
        int slot = cluster.slotOf("{tag}");
        RedisServer master = cluster.masterOf(slot);
        cluster.kill(master);
        cluster.awaitReplacementOf(master);
        assertThat(cluster.masterOf(slot)).isNotSameAs(master);
        assertThat(cluster.masterOf(slot).command("SET", "{tag}", "v")).isEqualTo("OK");
    }

    @Test
    void restOfTheClusterAnswersIfItNeedNotBeWhole() {
        try (RedisCluster cluster = RedisCluster.start(3, 0, "--cluster-require-full-coverage", "no")) {
            RedisServer dead = cluster.masterOf(16_383);
            cluster.kill(dead);
            cluster.awaitFailed(dead);
            assertThat(cluster.masterOf(16_383)).isSameAs(dead);

            int slot = cluster.slotOf("{tag}");
            assertThat(cluster.masterOf(slot).command("SET", "{tag}", "v")).isEqualTo("OK");
        }
    }

    @Test
    void clusterHasAMaster() {
        assertThatThrownBy(() -> RedisCluster.start(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
