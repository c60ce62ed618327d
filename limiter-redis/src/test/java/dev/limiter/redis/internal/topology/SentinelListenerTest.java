package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.FakeNodes;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;

/** Sentinels watch several masters, and tell of all of them. */
class SentinelListenerTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));

    @Test
    void aSwitchOfAnotherMasterMovesNoClient() throws Exception {
        try (FakeNodes nodes = new FakeNodes();
                Watchdog watchdog = new Watchdog(TIMEOUTS, System::nanoTime);
                SentinelServers servers = servers(nodes, watchdog);
                SentinelListener listener =
                        new SentinelListener(nodes.address(0), servers, SentinelListener.HEARD_MILLIS)) {
            listener.start();
            asked(nodes, 1);
            nodes.switchMaster("another", 1);
            asked(nodes, 2);
            nodes.switchMaster("another", 1);
            asked(nodes, 3);
            assertThat(servers.of(0)).isEqualTo(nodes.address(0));
            nodes.switchMaster("shop", 1);
            Awaitility.await().until(() -> servers.of(0).equals(nodes.address(1)));
        }
    }

    /** The report of a switch is lost if the connection has ended, and neither end knows. */
    @Test
    void aSwitchThatIsNotReportedIsFoundByTheNextSubscription() throws Exception {
        try (FakeNodes nodes = new FakeNodes();
                Watchdog watchdog = new Watchdog(TIMEOUTS, System::nanoTime);
                SentinelServers servers = servers(nodes, watchdog);
                SentinelListener listener = new SentinelListener(nodes.address(0), servers, 10)) {
            listener.start();
            Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SENTINEL") > 2); // asked again
            nodes.master = 1;
            Awaitility.await().until(() -> servers.of(0).equals(nodes.address(1)));
        }
    }

    private static SentinelServers servers(FakeNodes nodes, Watchdog watchdog) {
        RedisUri uri = RedisUri.parse("redis-sentinel://" + nodes.address(0) + "#shop");
        ConnectionPoolConfig connections = new ConnectionPoolConfig();
        connections.setJmxEnabled(false);
        return new SentinelServers(
                uri,
                new NodePools(
                        ClientConfig.of(uri, TIMEOUTS, "", ""),
                        connections,
                        new HostNames(InetAddress::getAllByName),
                        watchdog,
                        TIMEOUTS,
                        System::nanoTime));
    }

    /** Waits until the listener has asked so often: for the epoch, and for the master. */
    private static void asked(FakeNodes nodes, int times) {
        Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SENTINEL") == 2 * times);
    }
}
