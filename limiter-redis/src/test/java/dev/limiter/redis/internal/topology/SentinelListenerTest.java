package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.script.FakeNodes;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ConnectionPoolConfig;

/** Sentinels watch several masters, and tell of all of them. */
class SentinelListenerTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));

    private final FakeNodes nodes = new FakeNodes();
    private final RedisUri uri = RedisUri.parse("redis-sentinel://" + nodes.address(0) + "#shop");
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, System::nanoTime);
    private final NodePools pools = pools();
    private final Sentinels sentinels = new Sentinels(uri, pools);

    @AfterEach
    void close() throws Exception {
        pools.close();
        watchdog.close();
        nodes.close();
    }

    @Test
    void aSwitchOfAnotherMasterMovesNoClient() throws Exception {
        try (SentinelListener listener =
                new SentinelListener(nodes.address(0), sentinels, SentinelListener.HEARD_MILLIS)) {
            listener.start();
            asked(1);
            nodes.switchMaster("another", 1);
            asked(2);
            nodes.switchMaster("another", 1);
            asked(3);
            assertThat(sentinels.master()).isEqualTo(nodes.address(0));
            nodes.switchMaster("shop", 1);
            Awaitility.await().until(() -> nodes.address(1).equals(sentinels.master()));
        }
    }

    /** The report of a switch is lost if the connection has ended, and neither end knows. */
    @Test
    void aSwitchThatIsNotReportedIsFoundByTheNextSubscription() {
        try (SentinelListener listener = new SentinelListener(nodes.address(0), sentinels, 10)) {
            listener.start();
            Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SENTINEL") > 2); // asked again
            nodes.master = 1;
            Awaitility.await().until(() -> nodes.address(1).equals(sentinels.master()));
        }
    }

    private NodePools pools() {
        ConnectionPoolConfig connections = new ConnectionPoolConfig();
        connections.setJmxEnabled(false);
        return new NodePools(
                ClientConfig.of(uri, TIMEOUTS).build(),
                connections,
                new HostNames(InetAddress::getAllByName),
                watchdog,
                TIMEOUTS,
                System::nanoTime,
                Duration.ofMinutes(2));
    }

    /** Waits until the listener has asked so often: for the epoch, and for the master. */
    private void asked(int times) {
        Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SENTINEL") == 2 * times);
    }
}
