package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.redis.internal.identity.ChangingCredentials;
import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.CredentialsSource.Credentials;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Connections to a server whose bytes the test writes. */
class StrictConnectionTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));
    private static final long LATER_NANOS = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, nanos::get);
    private final ServerSocket server = listening();
    private final HostAndPort address = new HostAndPort("127.0.0.1", server.getLocalPort());
    private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
    private final NodePools pools = pools(null);
    private final BlockingQueue<Credentials> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger refused = new AtomicInteger();

    private static ServerSocket listening() {
        try {
            ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            listening.setSoTimeout(10_000);
            return listening;
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** @param credentials null if they do not change */
    private NodePools pools(ChangingCredentials credentials) {
        return pools(client().credentialsProvider(credentials), 8);
    }

    private DefaultJedisClientConfig.Builder client() {
        return ClientConfig.of(RedisUri.parse("redis://" + address), TIMEOUTS);
    }

    private NodePools pools(DefaultJedisClientConfig.Builder client, int most) {
        ConnectionPoolConfig connections = new ConnectionPoolConfig();
        connections.setMaxTotal(most);
        connections.setMaxWait(Duration.ofSeconds(10));
        connections.setJmxEnabled(false);
        connections.setTestOnBorrow(true);
        return new NodePools(
                client.build(),
                connections,
                new HostNames(InetAddress::getAllByName),
                watchdog,
                TIMEOUTS,
                nanos::get,
                Duration.ofMinutes(2));
    }

    @AfterEach
    void close() throws IOException {
        pools.close();
        watchdog.close();
        server.close();
        for (Socket each : accepted) {
            each.close();
        }
    }

    /** The server's end of the connection that was opened last. */
    private Socket accept() throws IOException {
        Socket socket = server.accept();
        accepted.add(socket);
        return socket;
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
    }

    private static Object ask(Connection connection) {
        connection.sendCommand(Protocol.Command.PING);
        return connection.getOne();
    }

    /** Then its thread gets no processor, and no other server is to blame. */
    @Test
    void theClockOfTheProcessStandsWhileAReplyLiesUnread() throws Exception {
        ProcessClock clock = new ProcessClock(nanos::get, LATER_NANOS);
        try (Watchdog own = new Watchdog(TIMEOUTS, clock, work -> new Thread(() -> {}));
                Connection slow = pools.connection(address);
                Socket slowEnd = accept();
                Connection late = pools.connection(address);
                Socket lateEnd = accept()) {
            for (Socket each : List.of(slowEnd, lateEnd)) {
                write(each, "+PONG\r\n");
            }
            assertThat(ask(slow)).isEqualTo(ask(late));
            own.watch(slow, LATER_NANOS);
            own.watch(late, LATER_NANOS);
            write(lateEnd, "+PONG\r\n");
            Awaitility.await().until(((StrictConnection) late)::hasBytes);
            assertThat(passed(own, clock)).as("it has just come").isEqualTo(LATER_NANOS);
            assertThat(passed(own, clock)).as("it lies unread").isZero();
            late.getOne();
            assertThat(passed(own, clock)).as("it was read").isEqualTo(LATER_NANOS);
        }
    }

    /** How far the clock goes from a beat to the next. */
    private long passed(Watchdog beating, ProcessClock clock) {
        beating.beat();
        long before = clock.getAsLong();
        nanos.addAndGet(LATER_NANOS);
        return clock.getAsLong() - before;
    }

    @Test
    void aConnectionWithASecondReplyIsNotUsedAgain() throws IOException {
        Connection first = pools.connection(address);
        write(accept(), "$2\r\nmy\r\n$5\r\nother\r\n");
        assertThat((byte[]) ask(first)).asString().isEqualTo("my");
        first.close();
        Connection next = pools.connection(address);
        assertThat(next).isNotSameAs(first);
        write(accept(), "$3\r\nown\r\n");
        assertThat((byte[]) ask(next)).asString().isEqualTo("own");
        next.close();
        assertThat(pools.connection(address)).as("without more").isSameAs(next);
    }

    @Test
    void aConnectionThatIsGivenBackAfterTheEndIsClosed() throws IOException {
        Connection used = pools.connection(address);
        accept();
        pools.close();
        assertThat(used.isConnected()).isTrue();
        used.close();
        assertThat(used.isConnected()).isFalse();
    }

    /** Two connections at hand, which a thread has just missed, do not make it wait. */
    @Test
    void connectionsAtHandLeaveRoomForOthers() throws Exception {
        try (NodePools mine = pools(client(), 1)) {
            List<Connection> used = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                used.add(mine.connection(address));
                accept();
            }
            assertThat(used).doesNotHaveDuplicates();
            used.forEach(Connection::close);
        }
    }

    @Test
    void norIsOneWhoseSecondReplyComesWhileItIsIdle() throws IOException {
        Connection first = pools.connection(address);
        Socket socket = accept();
        write(socket, "$2\r\nmy\r\n");
        ask(first);
        first.close();
        write(socket, "$5\r\nother\r\n");
        Awaitility.await().until(() -> {
            nanos.addAndGet(LATER_NANOS);
            Connection next = pools.connection(address);
            next.close();
            return next != first;
        });
        assertThat(first.isConnected()).isFalse();
    }

    /** As the watchdog does, late; within 100 µs no look at the socket tells it. */
    @Test
    void norIsOneThatWasEndedWhenItWasIdle() throws IOException {
        Connection first = pools.connection(address);
        write(accept(), "$2\r\nmy\r\n");
        ask(first);
        first.close();
        first.forceDisconnect();
        assertThat(pools.connection(address)).isNotSameAs(first);
    }

    /** Redis or a proxy has closed it. To take it and give it back is no use. */
    @Test
    void norIsOneThatWasEndedAfterASecondWithoutUse() throws IOException {
        Connection first = pools.connection(address);
        Socket socket = accept();
        write(socket, "$2\r\nmy\r\n");
        ask(first);
        first.close();
        for (int look = 0; look < 3; look++) {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(400));
            Connection again = pools.connection(address);
            assertThat(again).isSameAs(first);
            again.close();
        }
        socket.close();
        Awaitility.await().until(() -> {
            nanos.addAndGet(LATER_NANOS);
            Connection next = pools.connection(address);
            next.close();
            return next != first;
        });
        assertThat(first.isConnected()).isFalse();
    }

    /** To look for the end of a connection takes a millisecond. Over TLS each use counts, too. */
    @Test
    void oneOverTlsThatWasJustUsedIsNotAskedForItsEnd() {
        try (RedisServer redis = RedisServer.startWithTls();
                FaultProxy proxy = FaultProxy.to(redis);
                NodePools mine = pools(client().sslOptions(trusting(redis)), 8)) {
            HostAndPort secured = new HostAndPort("localhost", proxy.port());
            Connection first = mine.connection(secured);
            assertThat(first.ping()).isTrue();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
            assertThat(first.ping()).isTrue();
            first.close();
            proxy.resetExisting();
            Awaitility.await().until(() -> proxy.openNow() == 0);
            nanos.addAndGet(LATER_NANOS);
            assertThat(mine.connection(secured)).isSameAs(first);
        }
    }

    private static SslOptions trusting(RedisServer redis) {
        return SslOptions.builder()
                .truststore(
                        redis.trustStore().toFile(), redis.trustStorePassword().toCharArray())
                .build();
    }

    /** Redis may answer the first of several commands, and hang before it has read the last. */
    @Test
    void aWriteThatBlocksFailsWhenItIsLateThoughAReplyLiesUnread() throws Exception {
        Connection connection = pools.connection(address);
        write(accept(), "+PONG\r\n");
        FutureTask<Boolean> call = new FutureTask<>(() -> {
            Watch watch = watchdog.watch(connection, LATER_NANOS);
            try {
                connection.sendCommand(Protocol.Command.ECHO, new byte[64 << 20]);
            } catch (JedisConnectionException closed) {
                assertThat(watch.isCut()).isTrue();
            }
            return watch.end();
        });
        new Thread(call, "calls").start();
        Awaitility.await().until(() -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.leastReadMillis()));
            watchdog.look();
            return call.isDone();
        });
        assertThat(call.get()).isFalse();
    }

    /** An error of the JVM would pass through all that catches failures of Redis. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$2147483647\r\n",
                "$9223372036854775807\r\n",
                "$-2\r\n",
                "*2147483647\r\n",
                "*-2\r\n",
                "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
                "*1\r\n$2147483647\r\n",
                "$2\r\nlong\r\n",
                "$2\r\nmy\rx",
                "?\r\n"
            })
    void aReplyThatNoRedisGivesEndsTheConnection(String reply) throws IOException {
        Connection connection = pools.connection(address);
        Socket socket = accept();
        write(socket, reply);
        socket.shutdownOutput();
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(() -> ask(connection))
                .withMessageNotContaining("end of stream");
        connection.close();
        assertThat(connection.isConnected()).isFalse();
    }

    /** Asks for others soon, and waits for them. */
    private ChangingCredentials changing() {
        AtomicBoolean asked = new AtomicBoolean();
        CredentialsSource source = () -> asked.getAndSet(true)
                ? answers.take()
                : new Credentials("first", "one", Instant.now().plusMillis(200));
        return ChangingCredentials.started(source, new Signals() {
            @Override
            public void happened(Incident incident) {
                refused.addAndGet(incident == Incident.CREDENTIALS_FAILURES ? 1 : 0);
            }
        });
    }

    private Connection opened(NodePools changing) throws Exception {
        FutureTask<Connection> opening = new FutureTask<>(() -> changing.connection(address));
        new Thread(opening, "opens").start();
        Socket socket = accept();
        assertThat(read(socket, "one\r\n")).isEqualTo("*3\r\n$4\r\nAUTH\r\n$5\r\nfirst\r\n$3\r\none\r\n");
        write(socket, "+OK\r\n");
        return opening.get(1, TimeUnit.MINUTES);
    }

    /** What has come, up to these words. */
    private static String read(Socket socket, String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(end) < 0) {
            read.append((char) socket.getInputStream().read());
        }
        return read.toString();
    }

    private static void awaitRenewal(ChangingCredentials changing) {
        Awaitility.await()
                .until(() -> !changing.newest().credentials().password().equals("one"));
    }

    /** The caller gets the reply to its command, and waits for no further round trip. */
    @Test
    void newerCredentialsGoWithTheNextCommand() throws Exception {
        ChangingCredentials changing = changing();
        try (NodePools mine = pools(changing)) {
            changing.whenRenewed(() -> {}, 0); // only a use of the connection tells it
            Connection connection = opened(mine);
            Socket socket = accepted.remove();
            connection.close();
            answers.add(new Credentials(null, "two", null));
            awaitRenewal(changing);
            write(socket, "+OK\r\n$2\r\nmy\r\n$5\r\nother\r\n");
            nanos.set(-1); // those bytes are there too early, and no look at the socket may tell it
            Connection again = mine.connection(address);
            assertThat(again).isSameAs(connection);
            assertThat((byte[]) ask(again)).asString().isEqualTo("my");
            assertThat((byte[]) ask(again)).asString().isEqualTo("other");
            assertThat(read(socket, "PING\r\n")).isEqualTo("*2\r\n$4\r\nAUTH\r\n$3\r\ntwo\r\n*1\r\n$4\r\nPING\r\n");
            assertThat(read(socket, "PING\r\n")).isEqualTo("*1\r\n$4\r\nPING\r\n");
            assertThat(refused).hasValue(0);
            socket.close();
        }
    }

    /** The pool has lent such a connection once, however often it was used since. */
    @Test
    void bytesThatNoRequestAskedForAreNoAnswerToNewerCredentials() throws Exception {
        ChangingCredentials changing = changing();
        try (NodePools mine = pools(changing)) {
            Connection connection = opened(mine);
            Socket socket = accepted.remove();
            for (int use = 0; use < 2; use++) {
                connection.close();
                assertThat(mine.connection(address)).isSameAs(connection);
            }
            connection.close();
            write(socket, "$5\r\nother\r\n");
            nanos.addAndGet(LATER_NANOS);
            answers.add(new Credentials(null, "two", null));
            Awaitility.await().until(() -> !connection.isConnected());
            socket.close();
        }
    }

    @Test
    void aConnectionThatRefusesThemIsKept() throws Exception {
        ChangingCredentials changing = changing();
        try (NodePools mine = pools(changing)) {
            changing.whenRenewed(() -> {}, 0); // only a use of the connection tells it
            Connection connection = opened(mine);
            Socket socket = accepted.remove();
            connection.close();
            answers.add(new Credentials("second", "two", null));
            awaitRenewal(changing);
            write(socket, "-WRONGPASS invalid username-password pair\r\n$2\r\nmy\r\n");
            nanos.set(-1);
            Connection again = mine.connection(address);
            assertThat((byte[]) ask(again)).asString().isEqualTo("my");
            assertThat(refused).hasValue(1);
            assertThat(again.isBroken()).isFalse();
            socket.close();
        }
    }

    @Test
    void aConnectionThatHasLostItsUserIsNotUsedAgain() throws Exception {
        ChangingCredentials changing = changing();
        try (NodePools mine = pools(changing)) {
            changing.whenRenewed(() -> {}, 0); // only a use of the connection tells it
            Connection connection = opened(mine);
            Socket socket = accepted.remove();
            write(socket, "-NOAUTH Authentication required.\r\n");
            assertThatExceptionOfType(JedisAccessControlException.class).isThrownBy(() -> ask(connection));
            Thread closing = new Thread(connection::close); // the pool opens another one in its place
            closing.start();
            write(accept(), "+OK\r\n");
            closing.join();
            assertThat(connection.isConnected()).isFalse();
            assertThat(refused).hasValue(1);
            socket.close();
        }
    }

    @Test
    void allRepliesOfRedisAreRead() throws IOException {
        Connection connection = pools.connection(address);
        write(accept(), "*6\r\n$-1\r\n*-1\r\n:5\r\n+fine\r\n*1\r\n$0\r\n\r\n-ERR no\r\n");
        List<?> all = (List<?>) ask(connection);
        assertThat(all.subList(0, 3)).isEqualTo(Arrays.asList(null, null, 5L));
        assertThat(all).hasSize(6);
        assertThat((byte[]) all.get(3)).asString().isEqualTo("fine");
        assertThat((byte[]) ((List<?>) all.get(4)).get(0)).isEmpty();
        assertThat((Exception) all.get(5)).hasMessage("ERR no");
    }
}
