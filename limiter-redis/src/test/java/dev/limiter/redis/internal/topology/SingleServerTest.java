package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.internal.algorithm.Packed;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisClusterOperationException;

/** A server is its host and its port. */
class SingleServerTest {
    private static final HostAndPort SERVER = new HostAndPort("redis", 6379);

    private final ServerTopology servers = new SingleServer(SERVER, null); // none of these opens a connection

    @Test
    void onlyTheOneAddressIsAsked() {
        assertThat(servers.isPrimary(new HostAndPort("redis", 6379))).isTrue();
        assertThat(servers.isPrimary(new HostAndPort("redis", 6380))).isFalse();
        assertThat(servers.isPrimary(new HostAndPort("redis2", 6379))).isFalse();
        assertThat(servers.of(0)).isEqualTo(SERVER);
        assertThat(servers.of(16_383)).isEqualTo(SERVER);
        assertThat(servers.hasOwner(5)).isTrue();
        assertThat(servers.slot(Packed.of("{a}b"))).isZero();
    }

    @Test
    void slotsMatterAsSoonAsACallWasRefusedForThem() {
        servers.useSlots();
        assertThat(servers.slot(Packed.of("rl:a:{123456789}"))).isEqualTo(12_739);
        assertThat(servers.of(12_739)).isEqualTo(SERVER);
    }

    @Test
    void aServerThatRedirectsIsANodeOfACluster() {
        HostAndPort other = new HostAndPort("redis", 6380);
        String words = "redis:6379 is a node of a cluster, and sent us to redis:6380; "
                + "write redis-cluster:// in limiter.redis.uri";
        assertThat(servers.redirectHint(other)).isEqualTo(words);
        assertThatExceptionOfType(JedisClusterOperationException.class)
                .isThrownBy(() -> servers.connection(other))
                .withMessage(words);
    }
}
