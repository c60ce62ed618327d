package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Sockets whose other end neither reads nor answers. The test looks instead of the watchdog's
 * thread.
 */
class WatchdogTest {
    /** So long that the thread itself does not come to look. */
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));

    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis());

    /** Between the look that finds a use late and the cut. */
    private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.leastReadMillis()) / 2;

    private static final byte[] MORE_THAN_BUFFERS_HOLD = new byte[64 << 20];

    private final AtomicLong nanos = new AtomicLong();
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, nanos::get);
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        watchdog.close();
    }

    private Connection connection() {
        HostAndPort here = new HostAndPort("127.0.0.1", server.getLocalPort());
        return new Connection(
                here,
                DefaultJedisClientConfig.builder()
                        .serverDefaultProtocol()
                        .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                        .socketTimeoutMillis(0)
                        .build());
    }

    /** Whether a call came to its end in time; it fails as soon as its connection is closed. */
    private FutureTask<Boolean> call(Connection connection, byte[] argument) {
        FutureTask<Boolean> call = new FutureTask<>(() -> {
            Watch watch = watchdog.watch(connection, LATE);
            try {
                connection.sendCommand(Protocol.Command.ECHO, argument);
                connection.getOne();
            } catch (JedisConnectionException closed) {
                assertThat(watch.isCut()).isTrue();
            }
            return watch.end();
        });
        new Thread(call, "calls").start();
        return call;
    }

    private static boolean inTime(FutureTask<Boolean> call) throws Exception {
        return call.get(1, TimeUnit.MINUTES);
    }

    /**
     * A use is cut off some time after the look that finds it late: a pause of the JVM makes all
     * late, and most of them only need a moment.
     */
    private void lookTwice() {
        watchdog.look();
        nanos.addAndGet(GRACE);
        watchdog.look();
    }

    /**
     * The application is undeployed while Redis hangs. Its threads must not stay in a write, and
     * the watchdog's thread must end.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallIsWatchedAfterTheEnd(boolean begunBefore) throws Exception {
        Timeouts timeouts = Timeouts.within(Duration.ofMillis(150));
        Watchdog real = new Watchdog(timeouts, System::nanoTime);
        CountDownLatch watched = new CountDownLatch(1);
        Connection connection = connection();
        if (!begunBefore) {
            real.close();
        }
        FutureTask<Boolean> call = new FutureTask<>(() -> {
            Watch watch = real.watch(connection, TimeUnit.MILLISECONDS.toNanos(timeouts.deadlineMillis()));
            watched.countDown();
            try {
                connection.sendCommand(Protocol.Command.ECHO, MORE_THAN_BUFFERS_HOLD);
            } catch (JedisConnectionException closed) {
                assertThat(watch.isCut()).isTrue();
            }
            return watch.end();
        });
        new Thread(call, "calls").start();
        watched.await();
        real.close();
        assertThat(inTime(call)).isFalse();
        Awaitility.await().until(() -> !real.isLooking());
    }

    /** Tomcat warns of a thread that outlives the application. */
    @Test
    void itsThreadHasEndedWhenItIsClosed() {
        Set<Thread> before = threads();
        Watchdog real = new Watchdog(TIMEOUTS, System::nanoTime);
        assertThat(real.watch(new Connection(), LATE).end()).isTrue();
        assertThat(threads()).hasSize(before.size() + 1);
        real.close();
        assertThat(threads()).isSubsetOf(before);
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("limiter-watchdog") && thread.isAlive())
                .collect(Collectors.toSet());
    }

    @Test
    void aWriteThatBlocksFailsWhenItIsLate() throws Exception {
        FutureTask<Boolean> call = call(connection(), MORE_THAN_BUFFERS_HOLD);
        try (Socket silent = server.accept()) {
            Awaitility.await().until(() -> silent.getInputStream().available() > 0);
            lookTwice();
            assertThat(call.isDone()).isFalse();
            nanos.set(LATE);
            lookTwice();
            assertThat(inTime(call)).isFalse();
        }
    }

    /**
     * The writer holds the lock of the socket: to close it in order would wait for the writer.
     */
    @Test
    void aWriteOverTlsThatBlocksFailsWhenItIsLate() throws Exception {
        try (RedisServer redis = RedisServer.startWithTls();
                NodePools pools = pools(redis)) {
            Connection connection = pools.connection(new HostAndPort("localhost", redis.port()));
            assertThat(connection.ping()).isTrue();
            redis.pause();
            FutureTask<Boolean> call = call(connection, MORE_THAN_BUFFERS_HOLD);
            Awaitility.await().until(() -> {
                nanos.addAndGet(LATE);
                watchdog.look();
                return call.isDone();
            });
            assertThat(inTime(call)).isFalse();
        }
    }

    private NodePools pools(RedisServer redis) {
        SslOptions trusts = SslOptions.builder()
                .truststore(
                        redis.trustStore().toFile(), redis.trustStorePassword().toCharArray())
                .build();
        JedisClientConfig client = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .sslOptions(trusts)
                .build();
        return new NodePools(
                client,
                new ConnectionPoolConfig(),
                new HostNames(InetAddress::getAllByName),
                watchdog,
                TIMEOUTS,
                nanos::get,
                Duration.ofMinutes(2));
    }

    /** Each piece of a reply begins the time-out for reading anew; here there is none. */
    @Test
    void aReplyThatDoesNotEndFailsWhenItIsLate() throws Exception {
        FutureTask<Boolean> call = call(connection(), new byte[1]);
        try (Socket slow = server.accept()) {
            slow.getOutputStream().write("$1000\r\nfirst".getBytes());
            Awaitility.await().until(() -> slow.getInputStream().available() > 0);
            nanos.set(LATE);
            lookTwice();
            assertThat(inTime(call)).isFalse();
        }
    }

    @Test
    void aUseThatWasSeenLateOnceIsNotCutOff() throws Exception {
        FutureTask<Boolean> call = call(connection(), new byte[1]);
        try (Socket slow = server.accept()) {
            Awaitility.await().until(() -> slow.getInputStream().available() > 0);
            nanos.set(LATE);
            watchdog.look();
            slow.getOutputStream().write("$1\r\nx\r\n".getBytes());
            assertThat(inTime(call)).isTrue();
        }
    }

    /** As after a long collection of garbage: the reply is there, and the thread has to read it. */
    @Test
    void aUseIsCutOffWhenItsProcessHasRunForAMoment() {
        ProcessClock clock = new ProcessClock(nanos::get, GRACE / 2);
        try (Watchdog own = new Watchdog(TIMEOUTS, clock)) {
            Watch watch = own.watch(new Connection(), LATE);
            nanos.set(LATE);
            own.look();
            nanos.addAndGet(10 * LATE);
            own.look();
            assertThat(watch.isCut()).isFalse();
            for (int i = 0; i < 2; i++) {
                clock.beat(true);
                nanos.addAndGet(GRACE / 2);
            }
            own.look();
            assertThat(watch.isCut()).isTrue();
            IntStream.range(0, 200).forEach(beat -> own.beat());
            Watch next = own.watch(new Connection(), LATE);
            own.beat();
            next.end();
            own.beat();
            long ran = clock.getAsLong();
            nanos.addAndGet(1);
            assertThat(clock.getAsLong()).as("late again").isEqualTo(ran);
        }
    }

    /** The same watch, and another call, which is not late. */
    @Test
    void theNextUseIsNotCutOffForTheOneBefore() {
        Connection before = new Connection();
        Watch late = watchdog.watch(before, LATE);
        nanos.set(LATE);
        watchdog.look();
        assertThat(late.end()).isTrue();
        Connection next = new Connection();
        Watch again = watchdog.watch(next, LATE);
        assertThat(again).isSameAs(late);
        lookTwice();
        assertThat(again.end()).isTrue();
        assertThat(before.isBroken()).isFalse();
        assertThat(next.isBroken()).isFalse();
    }

    @Test
    void ofManyOnlyThoseThatAreLateAreCutOff() {
        Connection slow = new Connection();
        Connection quick = new Connection();
        Watch ofSlow = watchdog.watch(slow, LATE);
        Watch ofQuick = watchdog.watch(quick, 2 * LATE);
        nanos.set(LATE);
        lookTwice();
        assertThat(ofSlow.isCut()).isTrue();
        assertThat(ofSlow.end()).isFalse();
        assertThat(ofQuick.end()).isTrue();
        assertThat(slow.isBroken()).isTrue();
        assertThat(quick.isBroken()).isFalse();
    }

    /**
     * A connection that was cut off while its socket was not there yet opens one, and blocks on
     * that.
     */
    @Test
    void aUseThatGoesOnIsCutOffAgain() throws ExecutionException, InterruptedException {
        Connection opening = new Connection(new HostAndPort("127.0.0.1", server.getLocalPort()));
        Watch watch = watchdog.watch(opening, LATE);
        nanos.set(LATE);
        lookTwice();
        opening.connect();
        assertThat(opening.isConnected()).isTrue();
        watchdog.look();
        assertThat(opening.isConnected()).isFalse();
        assertThat(watch.end()).isFalse();
    }

    /** Parks until it is late. */
    private static final class Sleeper implements Watchdog.Sleeper {
        private final long lateNanos;
        private volatile int woken;

        Sleeper(long lateNanos) {
            this.lateNanos = lateNanos;
        }

        @Override
        public long leftNanos(Timeouts timeouts, long nowNanos) {
            return lateNanos - nowNanos;
        }

        @Override
        public void wake() {
            woken++;
        }
    }

    @Test
    void aSleeperIsWokenWhenItIsLateUntilItParksNoMore() {
        Sleeper sleeper = new Sleeper(LATE);
        assertThat(watchdog.wakesWhenLate(sleeper)).isTrue();
        nanos.set(LATE - 5);
        assertThat(watchdog.look()).isEqualTo(5);
        assertThat(sleeper.woken).isZero();
        nanos.set(LATE);
        watchdog.look();
        watchdog.look();
        assertThat(sleeper.woken).isEqualTo(2);
        watchdog.forget(sleeper);
        watchdog.look();
        assertThat(sleeper.woken).isEqualTo(2);
    }

    /** As when a container allows no further thread: the calls go on without. */
    @Test
    void withoutAThreadSleepersParkForTheirTime() {
        AtomicBoolean hasThreads = new AtomicBoolean();
        ThreadFactory threads = work -> {
            if (!hasThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return DaemonThread.of("limiter-watchdog", work);
        };
        try (Watchdog own = new Watchdog(TIMEOUTS, new ProcessClock(nanos::get, Long.MAX_VALUE), threads)) {
            for (int i = 0; i < 3; i++) {
                Sleeper sleeper = new Sleeper(LATE);
                assertThat(own.wakesWhenLate(sleeper)).isFalse();
                own.forget(sleeper);
                assertThat(own.watch(new Connection(), LATE).end()).isTrue();
            }
            hasThreads.set(true);
            Sleeper sleeper = new Sleeper(LATE);
            assertThat(own.wakesWhenLate(sleeper)).isTrue();
            own.forget(sleeper);
        }
    }

    /** As when the heap is full: no other thread would ever look again. */
    @Test
    void itsOwnThreadLooksAgainAfterAnError() {
        AtomicInteger errors = new AtomicInteger(3);
        Watchdog.Sleeper full = new Watchdog.Sleeper() {
            @Override
            public long leftNanos(Timeouts timeouts, long nowNanos) {
                if (Thread.currentThread().getName().equals("limiter-watchdog") && errors.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("Java heap space");
                }
                return LATE;
            }

            @Override
            public void wake() {}
        };
        try (Watchdog own = new Watchdog(Timeouts.within(Duration.ofMillis(3)), System::nanoTime)) {
            assertThat(own.wakesWhenLate(full)).isTrue();
            Awaitility.await().until(() -> errors.get() < 0);
            own.forget(full);
            Awaitility.await().until(() -> !own.isLooking());
        }
    }

    @Test
    void itsOwnThreadLooksAsLongAsACallerParks() {
        try (Watchdog own = new Watchdog(Timeouts.within(Duration.ofMillis(3)), System::nanoTime)) {
            Sleeper sleeper = new Sleeper(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
            assertThat(own.wakesWhenLate(sleeper)).isTrue();
            Awaitility.await().until(() -> sleeper.woken > 0);
            assertThat(own.isLooking()).isTrue();
            own.forget(sleeper);
            Awaitility.await().until(() -> !own.isLooking());
        }
    }

    /**
     * Without anything to watch the thread ends after a while, and the next use starts it again.
     */
    @Test
    void itsOwnThreadLooksWhileThereIsSomethingToWatch() {
        Timeouts quick = Timeouts.within(Duration.ofMillis(3));
        try (Watchdog own = new Watchdog(quick, System::nanoTime)) {
            for (int i = 0; i < 2; i++) {
                Connection connection = new Connection();
                Watch watch = own.watch(connection, 0);
                Awaitility.await().until(connection::isBroken);
                assertThat(watch.end()).isFalse();
                Awaitility.await().until(() -> !own.isLooking());
            }
        }
    }
}
