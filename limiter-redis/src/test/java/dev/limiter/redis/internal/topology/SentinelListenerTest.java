package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.FakeNodes;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;

/** Sentinels watch several masters, and tell of all of them. */
class SentinelListenerTest {

    @Test
    void aSwitchOfAnotherMasterIsNotHeard() throws Exception {
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
            List<HostAndPort> named = new CopyOnWriteArrayList<>();
            try (servers;
                    SentinelListener listener = new SentinelListener(one, servers, named::add)) {
                listener.start();
                Awaitility.await().until(() -> nodes.commands.contains("0 SUBSCRIBE"));
                nodes.switchMaster("another", 1);
                nodes.switchMaster("shop", 0);
                Awaitility.await().until(() -> named.size() > 1);
                assertThat(named).containsExactly(one, one);
            }
        }
    }
}
