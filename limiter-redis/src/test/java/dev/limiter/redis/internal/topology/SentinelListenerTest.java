package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.FakeNodes;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;

/** Sentinels watch several masters, and tell of all of them. */
class SentinelListenerTest {

    @Test
    void aSwitchOfAnotherMasterMovesNoClient() throws Exception {
        Timeouts timeouts = Timeouts.within(Duration.ofMinutes(1));
        try (FakeNodes nodes = new FakeNodes();
                Watchdog watchdog = new Watchdog(timeouts, System::nanoTime)) {
            HostAndPort one = nodes.address(0);
            RedisUri uri = RedisUri.parse("redis-sentinel://" + one + "#shop");
            ConnectionPoolConfig connections = new ConnectionPoolConfig();
            connections.setJmxEnabled(false);
            SentinelServers servers = new SentinelServers(
                    uri,
                    new NodePools(
                            ClientConfig.of(uri, timeouts, name -> Optional.empty()),
                            connections,
                            new HostNames(InetAddress::getAllByName),
                            watchdog,
                            timeouts,
                            System::nanoTime));
            try (servers;
                    SentinelListener listener = new SentinelListener(one, servers)) {
                listener.start();
                asked(nodes, 1);
                nodes.switchMaster("another", 1);
                asked(nodes, 2);
                nodes.switchMaster("another", 1);
                asked(nodes, 3);
                assertThat(servers.of(0)).isEqualTo(one);
                nodes.switchMaster("shop", 1);
                Awaitility.await().until(() -> servers.of(0).equals(nodes.address(1)));
            }
        }
    }

    /** Waits until the listener has asked so often: for the epoch, and for the master. */
    private static void asked(FakeNodes nodes, int times) {
        Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SENTINEL") == 2 * times);
    }
}
