package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisSentinels;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** All kinds of servers of the tests are the store that the build names. */
class RedisStoreTest {

    private static void assertIsTheStore(ServerVersion version) {
        ServerVersion.expectedStore()
                .ifPresent(
                        name -> assertThat(version.store()).as(version.line()).isEqualTo(name));
    }

    /** {@code target/store.txt} is what the table of certified stores takes the version from. */
    @Test
    void aSingleServerIsTheStoreAndItsVersionIsRecorded() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            ServerVersion version = ServerVersion.of(redis);
            Files.writeString(Path.of("target", "store.txt"), version.line() + System.lineSeparator());
            assertIsTheStore(version);
        }
    }

    @Test
    void aServerWithTlsIsTheStore() {
        try (RedisServer redis = RedisServer.startWithTls()) {
            assertIsTheStore(ServerVersion.of(redis));
        }
    }

    @Test
    void aNodeOfAClusterIsTheStore() {
        try (RedisCluster cluster = RedisCluster.start(1, 0)) {
            assertIsTheStore(ServerVersion.of(cluster.nodes().get(0)));
        }
    }

    @Test
    void aMasterWithSentinelsIsTheStore() {
        try (RedisSentinels redis = RedisSentinels.start(1)) {
            assertIsTheStore(ServerVersion.of(redis.master()));
            assertIsTheStore(ServerVersion.of(redis.replicas().get(0)));
        }
    }
}
