package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.testkit.Stall;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Sockets to a name that has several addresses, or none, or a name service that does not answer.
 */
class ServerSocketsTest {
    private static final int CONNECT_MILLIS = 50;
    private static final JedisClientConfig CLIENT = DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(CONNECT_MILLIS)
            .build();

    private final CountDownLatch answered = new CountDownLatch(1);
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private InetAddress here;
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        here = InetAddress.getLoopbackAddress();
        server = new ServerSocket(0, 50, here);
    }

    @AfterEach
    void close() throws IOException {
        answered.countDown();
        server.close();
    }

    private ServerSockets sockets(HostNames.Lookup lookup) {
        return sockets(new HostNames(lookup));
    }

    private ServerSockets sockets(HostNames names) {
        return new ServerSockets(new HostAndPort("redis.example", server.getLocalPort()), CLIENT, names, nanos::get);
    }

    /** For a lookup that answers, however busy the machine is. */
    private ServerSockets patient(HostNames.Lookup lookup) {
        return new ServerSockets(
                new HostAndPort("redis.example", server.getLocalPort()),
                DefaultJedisClientConfig.builder()
                        .connectionTimeoutMillis(60_000)
                        .build(),
                new HostNames(lookup),
                nanos::get);
    }

    private String name() {
        return "redis.example:" + server.getLocalPort();
    }

    private InetAddress[] silent(String host) {
        lookups.incrementAndGet();
        try {
            answered.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new InetAddress[] {here};
    }

    @Test
    void connectsToTheAddressOfAName() throws IOException {
        try (Socket socket = patient(host -> new InetAddress[] {here}).createSocket()) {
            assertThat(socket.getPort()).isEqualTo(server.getLocalPort());
            InputStream replies = socket.getInputStream();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
            assertThat(replies.available()).isZero();
            assertThat(socket.getSoTimeout()).as("after a look for its end").isEqualTo(Protocol.DEFAULT_TIMEOUT);
        }
    }

    @Test
    void aNameWithoutAnAddressIsSaid() {
        ServerSockets sockets = patient(host -> {
            throw new UnknownHostException(host);
        });
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(sockets::createSocket)
                .withMessage("no connection to " + name() + ": the host name is unknown");
    }

    @Test
    void aNameServiceThatDoesNotAnswerIsSaidAndNotWaitedFor() {
        ServerSockets sockets = sockets(this::silent);
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(sockets::createSocket)
                .withMessage("no connection to " + name() + ": the host name was not resolved within 50 ms");
    }

    /** However many callers wait, and however long it takes. */
    @Test
    void aNameHasOneLookupAtATime() throws IOException {
        HostNames names = new HostNames(this::silent);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(sockets(names)::createSocket);
        }
        assertThat(lookups).hasValue(1);
        answered.countDown();
        Awaitility.await().ignoreExceptions().until(() -> {
            sockets(names).createSocket().close();
            return true;
        });
    }

    /** An address is no name, and needs no thread. */
    @Test
    void anAddressIsNotWaitedFor() throws Exception {
        Thread[] asks = new Thread[1];
        HostNames names = new HostNames(host -> {
            asks[0] = Thread.currentThread();
            return InetAddress.getAllByName(host);
        });
        for (String address : new String[] {"127.0.0.1", "::1", "[::1]"}) {
            assertThat(names.addresses(address, 1)).hasSize(1);
            assertThat(asks[0]).isSameAs(Thread.currentThread());
        }
    }

    /** As with a deadline of 5 ms: a look at the clock leaves less than the whole millisecond. */
    @Test
    void aPartOfAMillisecondIsTimeToConnect() throws IOException {
        ServerSockets hurried = new ServerSockets(
                new HostAndPort("127.0.0.1", server.getLocalPort()),
                DefaultJedisClientConfig.builder().connectionTimeoutMillis(1).build(),
                new HostNames(InetAddress::getAllByName),
                nanos::incrementAndGet);
        try (Socket socket = hurried.createSocket()) {
            assertThat(socket.isConnected()).isTrue();
        }
    }

    /**
     * Each look at the clock costs 10 ms here: of eight addresses that refuse, some are not
     * tried any more.
     */
    @Test
    void allAddressesShareOneSpan() throws IOException {
        server.close();
        AtomicInteger looks = new AtomicInteger();
        InetAddress[] eight = new InetAddress[8];
        Arrays.fill(eight, here);
        ServerSockets sockets = new ServerSockets(
                new HostAndPort("redis.example", server.getLocalPort()),
                CLIENT,
                new HostNames(host -> eight),
                () -> TimeUnit.MILLISECONDS.toNanos(10L * looks.getAndIncrement()));
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(sockets::createSocket)
                .withMessage(
                        "no connection to " + name() + ": Connection refused; no time is left for 6 of its addresses");
    }

    /**
     * How long callers wait at most while eight addresses are silent, and while the name service
     * is.
     */
    @Test
    @Tag("faults")
    void silentAddressesTogetherTakeOneTimeOut() throws IOException {
        int port = server.getLocalPort();
        server.close();
        try (ServerSocket full = new ServerSocket(port, 1, here);
                Stall machine = Stall.begin()) {
            List<Socket> waiting = fill(full);
            InetAddress[] eight = new InetAddress[8];
            Arrays.fill(eight, here);
            HostAndPort name = new HostAndPort("redis.example", port);
            long addresses = longest(new ServerSockets(name, CLIENT, new HostNames(host -> eight), System::nanoTime));
            long unresolved = longest(new ServerSockets(name, CLIENT, new HostNames(this::silent), System::nanoTime));
            System.out.printf(
                    "faults: connecting, of %d ms: eight silent addresses %.1f ms, a silent name service %.1f ms%n",
                    CONNECT_MILLIS, addresses / 1e6, unresolved / 1e6);
            assertThat(Math.max(addresses, unresolved))
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(8 * CONNECT_MILLIS) + machine.longestNanos());
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    private static long longest(ServerSockets sockets) {
        long longest = 0;
        for (int i = 0; i < 20; i++) {
            long began = System.nanoTime();
            assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(sockets::createSocket);
            longest = Math.max(longest, System.nanoTime() - began);
        }
        return longest;
    }

    /** One address is silent, and another one answers. */
    @Test
    void anAddressThatIsSilentLeavesTimeForTheOthers() throws IOException {
        int port = server.getLocalPort();
        server.close();
        try (ServerSocket full = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
                ServerSocket well = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.2"))) {
            assertThat(well.isBound()).isTrue();
            List<Socket> waiting = fill(full);
            InetAddress[] both = {full.getInetAddress(), well.getInetAddress()};
            ServerSockets sockets = sockets(host -> both.clone());
            for (int i = 0; i < 8; i++) {
                try (Socket socket = Awaitility.await()
                        .ignoreExceptionsMatching(ServerSocketsTest::isResolvedLate)
                        .until(sockets::createSocket, Socket::isConnected)) {
                    assertThat(socket.getInetAddress()).isEqualTo(both[1]);
                }
            }
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    /** As on a machine with other things to do: another thread looks the name up. */
    private static boolean isResolvedLate(Throwable failed) {
        return failed.getMessage().contains("was not resolved within");
    }

    /**
     * The server does not accept, and its queue is full: the machine drops all connections after
     * these.
     */
    private static List<Socket> fill(ServerSocket full) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        for (boolean accepts = true; accepts; ) {
            Socket one = new Socket();
            waiting.add(one);
            try {
                one.connect(full.getLocalSocketAddress(), 200);
            } catch (SocketTimeoutException dropped) {
                accepts = false;
            }
        }
        return waiting;
    }
}
