package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.net.InetAddress;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** A pool of one connection, and of those that are kept at hand beside it. */
class NodePoolTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofSeconds(3));
    private static final Duration LOST = Duration.ofSeconds(1);
    private static final int ALL = 3;

    private final RedisServer redis = RedisServer.start();
    private final HostAndPort server = new HostAndPort("127.0.0.1", redis.port());
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, System::nanoTime);
    private final NodePools pools = new NodePools(
            client(),
            connections(),
            new HostNames(InetAddress::getAllByName),
            watchdog,
            TIMEOUTS,
            System::nanoTime,
            LOST);

    private static JedisClientConfig client() {
        return DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .build();
    }

    private static ConnectionPoolConfig connections() {
        ConnectionPoolConfig one = new ConnectionPoolConfig();
        one.setMaxTotal(1);
        one.setMaxWait(Duration.ofMillis(50));
        one.setTimeBetweenEvictionRuns(Duration.ofMillis(20));
        one.setJmxEnabled(false);
        return one;
    }

    @AfterEach
    void close() {
        pools.close();
        watchdog.close();
        redis.close();
    }

    private boolean hasRoom() {
        try (Connection free = pools.connection(server)) {
            return free.ping();
        } catch (JedisException exhausted) {
            return false;
        }
    }

    /** Their threads met an error before they could give them back, or send all that they wrote. */
    @Test
    void connectionsThatAreLostAreClosedAndLeaveTheirPlaces() {
        Connection[] lost = new Connection[ALL];
        for (int i = 0; i < ALL; i++) {
            lost[i] = pools.connection(server);
            lost[i].sendCommand(Protocol.Command.ECHO, "of the lost");
        }
        assertThat(hasRoom()).isFalse();
        Awaitility.await().until(this::hasRoom);
        Awaitility.await().untilAsserted(() -> assertThat(lost).noneMatch(Connection::isConnected));
        try (Connection next = pools.connection(server)) {
            assertThat(lost).doesNotContain(next);
            next.sendCommand(Protocol.Command.ECHO, "of the next");
            assertThat(next.getBulkReply()).isEqualTo("of the next");
        }
        lost[0].close(); // its thread was late, and not lost
        assertThat(hasRoom()).isTrue();
    }

    /** The pool does not see that it is taken and given back. */
    @Test
    void aConnectionThatIsKeptAtHandCountsAsUsed() {
        StrictConnection connection = (StrictConnection) pools.connection(server);
        long first = connection.getLastUsed();
        assertThat(first).isPositive();
        connection.close();
        Awaitility.await().until(() -> {
            try (Connection again = pools.connection(server)) {
                assertThat(again).isSameAs(connection);
                return connection.getLastUsed() > first;
            }
        });
    }
}
