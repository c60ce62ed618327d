package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.redis.internal.limiter.RedisStore;
import dev.limiter.redis.internal.script.FakeNodes;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.ClusterServers;
import dev.limiter.redis.internal.topology.HostNames;
import dev.limiter.redis.internal.topology.NodePools;
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.SentinelServers;
import dev.limiter.redis.internal.topology.ServerSockets;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Owners of slots, and connections to them: which are used again, which are closed, and when
 * none is opened.
 */
class RealNodesTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));
    private static final Policy FIVE = Policy.of("five", Algorithm.GCRA, 5, Duration.ofSeconds(10));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    private final FakeNodes nodes = new FakeNodes();
    private final HostAndPort one = nodes.address(0);
    private final HostAndPort two = nodes.address(1);
    private final RedisUri uri = RedisUri.parse(nodes.uri());
    private final AtomicLong nanos = new AtomicLong();
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, nanos::get);
    private final NodePools pools = pools(uri);
    private final ClusterServers cluster =
            new ClusterServers(uri, ClientConfig.of(uri, TIMEOUTS).build(), pools);

    private NodePools pools(RedisUri of) {
        ConnectionPoolConfig connections = new ConnectionPoolConfig();
        connections.setJmxEnabled(false);
        return new NodePools(
                ClientConfig.of(of, TIMEOUTS).build(),
                connections,
                new HostNames(InetAddress::getAllByName),
                watchdog,
                TIMEOUTS,
                nanos::get,
                Duration.ofMinutes(2));
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
        watchdog.close();
        nodes.close();
    }

    /** The node that answers there. */
    private static String name(Connection connection) {
        try (connection) {
            connection.sendCommand(new CommandArguments(Protocol.Command.PING));
            return connection.getStatusCodeReply();
        }
    }

    @Test
    void aConnectionIsUsedAgainUntilItIsForgotten() {
        for (int time = 1; time <= 2; time++) {
            Connection first = pools.connection(one);
            assertThat(name(first)).isEqualTo("node 0");
            Connection again = pools.connection(one);
            assertThat(again).isSameAs(first);
            Connection other = pools.connection(two);
            assertThat(name(other)).isEqualTo("node 1");
            again.close();
            pools.forgetIdle(one);
            assertThat(first.isConnected()).as("forgotten").isFalse();
            assertThat(other.isConnected()).as("of another server").isTrue();
            assertThat(name(pools.connection(two))).isEqualTo("node 1");
        }
        pools.forgetIdle(new HostAndPort("nowhere", 1));
    }

    @Test
    void onlyTheServersThatAreKeptKeepTheirConnections() {
        Connection idle = pools.connection(one);
        Connection inUse = pools.connection(one);
        Connection kept = pools.connection(two);
        name(idle);
        name(kept);
        pools.keepOnly(two::equals);
        assertThat(idle.isConnected()).isFalse();
        assertThat(kept.isConnected()).isTrue();
        assertThat(pools.connection(two)).isSameAs(kept);
        assertThat(name(inUse)).as("what is under way is heard").isEqualTo("node 0");
        assertThat(inUse.isConnected()).isFalse();
        assertThat(name(pools.connection(one))).as("it may be asked again").isEqualTo("node 0");
    }

    @Test
    void nothingIsOpenedWhenAllIsClosed() {
        Connection idle = pools.connection(one);
        Connection inUse = pools.connection(two);
        name(idle);
        pools.close();
        assertThat(idle.isConnected()).isFalse();
        assertThat(name(inUse)).isEqualTo("node 1");
        assertThat(inUse.isConnected()).isFalse();
        for (HostAndPort server : List.of(one, two)) {
            assertThatExceptionOfType(JedisConnectionException.class)
                    .isThrownBy(() -> pools.connection(server))
                    .withMessage("no connection to " + server + ": the limiter is closed");
        }
    }

    /** The server takes the password and never replies to it. */
    @Test
    void aConnectionThatIsNotReadyInTimeIsClosedAndSaysSo() throws Exception {
        nodes.silent = true;
        NodePools locked = pools(RedisUri.parse("redis://:secret@" + one));
        FutureTask<Throwable> opening = new FutureTask<>(() -> {
            try (Connection ready = locked.connection(one)) {
                return new AssertionError("it was opened: " + ready);
            } catch (RuntimeException failed) {
                return failed;
            }
        });
        new Thread(opening, "opening").start();
        Awaitility.await().until(() -> nodes.commands.contains("0 AUTH"));
        watchdog.look();
        watchdog.look();
        assertThat(opening.isDone()).as("while there is time").isFalse();
        nanos.set(TIMEOUTS.openMillis() * 1_000_000L);
        Awaitility.await().until(() -> {
            watchdog.look();
            nanos.addAndGet(TIMEOUTS.leastReadMillis() * 1_000_000L);
            return opening.isDone();
        });
        assertThat(opening.get())
                .isInstanceOf(JedisConnectionException.class)
                .hasMessage("no connection to " + one + ": it was not ready within " + TIMEOUTS.openMillis() + " ms");
        locked.close();
    }

    @Test
    void aSocketSendsAtOnceStaysAliveAndEndsWithAReset() throws IOException {
        JedisClientConfig client = ClientConfig.of(uri, TIMEOUTS).build();
        ServerSockets sockets = new ServerSockets(one, client, new HostNames(InetAddress::getAllByName), nanos::get);
        try (Socket socket = sockets.createSocket()) {
            assertThat(socket.getTcpNoDelay()).isTrue();
            assertThat(socket.getKeepAlive()).isTrue();
            assertThat(socket.getReuseAddress()).isTrue();
            assertThat(socket.getSoLinger()).isZero();
            assertThat(socket.getSoTimeout()).isEqualTo(2 * TIMEOUTS.deadlineMillis());
        }
    }

    /** The first node of the address stands for all until one is asked. */
    @Test
    void beforeALookNothingIsKnown() {
        assertThat(cluster.of(9_000)).isEqualTo(one);
        assertThat(cluster.hasOwner(9_000)).isTrue();
        assertThat(cluster.isPrimary(two)).isTrue();
        assertUnknown(9_000);
    }

    private void assertUnknown(int slot) {
        assertThatExceptionOfType(JedisClusterOperationException.class)
                .isThrownBy(() -> cluster.connection(slot))
                .withMessage("no node of the cluster is known to keep slot " + slot);
    }

    @Test
    void eachSlotIsAskedWhereItIsKept() {
        cluster.refresh();
        for (int slot : new int[] {0, 1, 8_191, 8_192, 16_383}) {
            int owner = slot < 8_192 ? 0 : 1;
            assertThat(cluster.of(slot)).isEqualTo(nodes.address(owner));
            assertThat(cluster.hasOwner(slot)).isTrue();
            assertThat(name(cluster.connection(slot))).isEqualTo("node " + owner);
        }
        assertThat(cluster.isPrimary(one)).isTrue();
        assertThat(cluster.isPrimary(two)).isTrue();
        assertThat(cluster.isPrimary(new HostAndPort("127.0.0.1", 1))).isFalse();
        assertThat(name(cluster.connection(two))).as("where it is sent").isEqualTo("node 1");
        assertThat(cluster.redirectHint(two)).isEqualTo("the slot has moved to " + two);
    }

    @Test
    void aSecondLookFindsWhatHasMovedAndClosesWhatIsNotNeeded() {
        cluster.refresh();
        Connection idle = cluster.connection(0);
        Connection kept = cluster.connection(9_000);
        name(idle);
        name(kept);
        nodes.ranges = List.of(new FakeNodes.Range(0, 16_383, 1));
        assertThat(cluster.of(0)).as("before it looks").isEqualTo(one);
        cluster.refresh();
        assertThat(cluster.of(0)).isEqualTo(two);
        assertThat(cluster.isPrimary(one)).isFalse();
        assertThat(idle.isConnected()).isFalse();
        assertThat(cluster.connection(0)).isSameAs(kept);
        nodes.ranges = List.of();
        assertThatExceptionOfType(JedisException.class)
                .isThrownBy(cluster::refresh)
                .withMessage(one + " belongs to no cluster; " + two + " belongs to no cluster");
        assertThat(cluster.of(0)).as("what the others said").isEqualTo(two);
    }

    @Test
    void aSlotIsThatOfTheKeysTag() {
        assertThat(cluster.slot(Packed.of("rl:a:{123456789}"))).isEqualTo(12_739);
    }

    @Test
    void theMasterIsTheOneThatTheSentinelsNameLast() throws IOException {
        RedisUri watched = RedisUri.parse("redis-sentinel://" + one + "," + two + "#shop");
        NodePools ofMaster = pools(watched);
        SentinelServers servers = new SentinelServers(watched, ofMaster);
        assertThat(servers.of(0)).as("messages need a name").isEqualTo(one);
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(() -> servers.connection(0))
                .withMessage("no sentinel has named the master \"shop\" yet");
        nodes.master = 1;
        servers.refresh();
        Connection ofTwo = servers.connection(0);
        assertThat(name(ofTwo)).isEqualTo("node 1");
        assertThat(servers.of(9)).isEqualTo(two);
        assertThat(servers.isPrimary(two)).isTrue();
        assertThat(servers.isPrimary(one)).isFalse();
        servers.refresh();
        assertThat(servers.connection(5)).as("one look is enough").isSameAs(ofTwo);
        Awaitility.await().until(() -> nodes.commands.containsAll(List.of("0 SUBSCRIBE", "1 SUBSCRIBE")));
        nodes.switchMaster("shop", 0);
        Awaitility.await().until(() -> servers.of(0).equals(one));
        Connection ofOne = servers.connection(0);
        assertThat(name(ofOne)).isEqualTo("node 0");
        assertThat(name(ofTwo)).as("what is under way is heard").isEqualTo("node 1");
        assertThat(ofTwo.isConnected()).isFalse();
        assertThat(servers.connection(0)).isSameAs(ofOne);
        servers.forgetIdle(one);
        assertThatExceptionOfType(JedisClusterOperationException.class)
                .isThrownBy(() -> servers.connection(two))
                .withMessage(servers.redirectHint(two));
        servers.close();
        assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> servers.connection(0));
        assertThat(Thread.getAllStackTraces().keySet())
                .as("threads of sentinels after it is closed")
                .noneMatch(thread -> thread.isAlive() && thread.getName().contains("entinel"));
    }

    /** It comes back twice, and names the master of before each time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSentinelThatWasCutOffMovesNoClientBack(boolean tellsEpoch) throws IOException {
        nodes.forbidden = tellsEpoch ? List.of() : List.of("0 MASTER");
        RedisUri watched = RedisUri.parse("redis-sentinel://" + one + "," + two + "#shop");
        nodes.master = 1;
        nodes.outOfDate = 0;
        try (SentinelServers servers = new SentinelServers(watched, pools(watched))) {
            servers.refresh();
            Awaitility.await().until(() -> servers.of(0).equals(two));
            for (int times = 1; times <= 3; times++) {
                int returns = times;
                Awaitility.await().until(() -> Collections.frequency(nodes.commands, "0 SUBSCRIBE") == returns);
                assertThat(servers.of(0)).isEqualTo(two);
                nodes.disconnect(0);
            }
        }
    }

    @Test
    void aSentinelAsksForItsPasswordThoughTheNextOneIsAway() throws IOException {
        nodes.forbidden = List.of("0 MASTER", "0 GET-MASTER-ADDR-BY-NAME");
        int away;
        try (ServerSocket closed = new ServerSocket(0)) {
            away = closed.getLocalPort();
        }
        RedisUri watched = RedisUri.parse("redis-sentinel://" + one + ",127.0.0.1:" + away + "#shop");
        SentinelServers servers = new SentinelServers(watched, pools(watched));
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(servers::refresh)
                .withMessageEndingWith("Write the password of sentinels as ?sentinel=user:password before the #");
        servers.close();
    }

    @Test
    void sentinelsAreToldTheirPassword() {
        RedisUri watched = RedisUri.parse("redis-sentinel://" + one + "?sentinel=:secret#shop");
        SentinelServers servers = new SentinelServers(watched, pools(watched));
        servers.refresh();
        assertThat(nodes.commands).startsWith("0 AUTH", "0 SENTINEL");
        servers.close();
    }

    /**
     * Two clocks that differ by an hour are no step; one that goes ahead by an hour is one,
     * wherever it is.
     */
    @Test
    void eachServerHasAClockOfItsOwn() {
        nodes.micros[1] += 3_600_000_000L;
        AtomicInteger steps = new AtomicInteger();
        Signals signals = new Signals() {
            @Override
            public void happened(Incident incident) {
                steps.addAndGet(incident == Incident.CLOCK_STEPPED ? 1 : 0);
            }
        };
        Policy policy = Policy.of("clocks", Algorithm.GCRA, 5, Duration.ofSeconds(10));
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("clocks", ""));
        try (RateLimiter limiter = RedisStore.limiter(
                uri,
                ClientConfig.of(uri, TIMEOUTS).build(),
                2,
                TIMEOUTS,
                new ProcessClock(() -> 0, Long.MAX_VALUE),
                signals,
                policies,
                () -> {})) {
            Runnable manyCalls = () -> {
                for (int i = 0; i < 40; i++) {
                    assertThat(limiter.acquire(policy, PartitionKey.of("user", "number " + i))
                                    .admitted())
                            .isTrue();
                }
            };
            manyCalls.run();
            assertThat(nodes.commands).contains("0 EVALSHA", "1 EVALSHA");
            assertThat(steps).hasValue(0);
            for (int step = 1; step <= 4; step++) {
                nodes.micros[step % 2] += 3_600_000_000L;
                manyCalls.run();
                assertThat(steps).hasValue(step);
            }
        }
    }

    /** As an application gets it: the limiter that remembers hears of its store's clock. */
    @Test
    void aRejectionIsAskedForAnewWhenTheClockOfTheServerHasStepped() {
        nodes.chargedAheadMicros = 100_000_000;
        Map<String, String> settings = Map.of("limiter.redis.uri", "redis://" + one, "limiter.redis.deadline", "1m");
        Policy policy = Policy.of("steps", Algorithm.GCRA, 5, Duration.ofSeconds(10));
        PartitionKey alice = PartitionKey.of("user", "alice");
        PartitionKey bob = PartitionKey.of("user", "bob");
        try (RateLimiter limiter = new RedisRateLimiterProvider()
                .create("shop", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow()) {
            long before = decisions();
            assertThat(limiter.acquire(policy, alice).admitted()).isFalse();
            assertThat(limiter.acquire(policy, alice).admitted()).isFalse();
            assertThat(decisions()).as("the second is remembered").isEqualTo(before + 1);
            nodes.micros[0] += 3_600_000_000L;
            assertThat(limiter.acquire(policy, bob).admitted()).isFalse();
            assertThat(limiter.acquire(policy, alice).admitted()).isFalse();
            assertThat(decisions()).isEqualTo(before + 3);
        }
    }

    /** Later replies on it may be those to other calls. */
    @ParameterizedTest
    @ValueSource(
            strings = {"$-1\r\n", "+OK\r\n", ":5\r\n", "*0\r\n", "$4\r\nfour\r\n", "$2147483647\r\n", "*2147483647\r\n"
            })
    void aReplyOfAnotherFormIsAFailureAndEndsTheConnection(String reply) {
        try (RateLimiter limiter = limiterOfOne()) {
            int before = nodes.connections();
            nodes.instead = reply;
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(FIVE, ALICE));
            nodes.instead = "";
            assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
            assertThat(nodes.connections()).isEqualTo(before + 1);
        }
    }

    @Test
    void aSecondReplyToACallAnswersNoOtherCall() {
        try (RateLimiter limiter = limiterOfOne()) {
            int before = nodes.connections();
            nodes.twice = true;
            nodes.chargedAheadMicros = 100_000_000;
            assertThat(limiter.acquire(FIVE, ALICE).admitted()).isFalse();
            nodes.chargedAheadMicros = 0;
            for (int i = 1; i <= 5; i++) {
                assertThat(limiter.acquire(FIVE, PartitionKey.of("user", "number " + i))
                                .admitted())
                        .isTrue();
            }
            assertThat(nodes.connections()).isEqualTo(before + 5);
        }
    }

    private RateLimiter limiterOfOne() {
        Map<String, String> settings = Map.of(
                "limiter.redis.uri", "redis://" + one,
                "limiter.redis.deadline", "1m",
                "limiter.on-store-failure", "CLOSED");
        return new RedisRateLimiterProvider()
                .create("shop", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }

    private long decisions() {
        return nodes.commands.stream().filter("0 EVALSHA"::equals).count();
    }

    /**
     * Whatever is asked for: a server, the nodes of a cluster, or sentinels, of which each
     * begins with a handshake.
     */
    @ParameterizedTest
    @CsvSource({
        "redis, '', 42",
        "redis-cluster, '', 42",
        "redis-sentinel, '#master', 42",
        "rediss, '', 22",
        "rediss-cluster, '', 22",
        "rediss-sentinel, '#master', 22"
    })
    void allOfAStoreSpeakTlsOrNoneOfIt(String scheme, String rest, int first) throws Exception {
        List<Integer> begun = new CopyOnWriteArrayList<>();
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread listening = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    begun.add(socket.getInputStream().read());
                } catch (IOException closed) {
                    // as each of them is, by one side or the other
                }
            }
        });
        listening.start();
        RedisUri there = RedisUri.parse(scheme + "://127.0.0.1:" + server.getLocalPort() + rest);
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("tls", ""));
        RedisStore.limiter(
                        there,
                        ClientConfig.of(there, TIMEOUTS).build(),
                        2,
                        TIMEOUTS,
                        new ProcessClock(() -> 0, Long.MAX_VALUE),
                        Signals.NONE,
                        policies,
                        () -> {})
                .close();
        server.close();
        listening.join();
        assertThat(begun).contains(first).isSubsetOf(first, -1); // some connect only to find out why it fails
    }
}
