package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.redis.internal.topology.DaemonThread;
import dev.limiter.redis.internal.topology.FakeServers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.HostAndPort;

/** The work of the monitor beside requests, also a second time, and after failures. */
class NodeMonitorTest {
    private static final HostAndPort ONE = new HostAndPort("one", 1);
    private static final HostAndPort TWO = new HostAndPort("two", 2);

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger askedOfTwo = new AtomicInteger();
    private final AtomicInteger doubted = new AtomicInteger();
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();

    private final FakeServers servers = new FakeServers();
    private final NodeMonitor monitor = new NodeMonitor(servers);

    @BeforeEach
    void watchTheTopology() {
        servers.looking = this::look;
    }

    private void watch(NodeMonitor by, HostAndPort server, boolean again) {
        by.watch(server, again, () -> ask(server));
    }

    private void doubt(HostAndPort server) {
        monitor.doubt(server, () -> {
            doubted.incrementAndGet();
            fail();
        });
    }

    private void look() {
        looks.incrementAndGet();
        fail();
    }

    private void ask(HostAndPort server) {
        (server.equals(ONE) ? asked : askedOfTwo).incrementAndGet();
        fail();
    }

    private void fail() {
        if (thrown.get() instanceof Error error) {
            throw error;
        }
        if (thrown.get() instanceof RuntimeException failure) {
            throw failure;
        }
    }

    @AfterEach
    void close() {
        monitor.close();
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(condition::getAsBoolean);
    }

    /**
     * When the first of some tasks is done, those that were asked for before it and are due are
     * done as well.
     */
    private void awaitLater() {
        int before = askedOfTwo.get();
        watch(monitor, TWO, false);
        await(() -> askedOfTwo.get() > before);
    }

    /** As when a container allows no further thread. */
    @Test
    void whatHadNoThreadIsBegunAgain() {
        AtomicBoolean hasThreads = new AtomicBoolean();
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(1, work -> {
            if (!hasThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return DaemonThread.of("limiter-monitor", work);
        });
        try (NodeMonitor own = new NodeMonitor(servers, threads)) {
            List<Runnable> begun =
                    List.of(own::refresh, () -> watch(own, ONE, false), () -> own.doubt(TWO, doubted::incrementAndGet));
            begun.forEach(
                    each -> assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(each::run));
            hasThreads.set(true);
            begun.forEach(Runnable::run);
            await(() -> looks.get() > 0 && asked.get() > 0 && doubted.get() > 0);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void concurrentRequestsCauseOneRefreshAndLaterOnesAnother() {
        for (int time = 1; time <= 3; time++) {
            int before = looks.get();
            for (int i = 0; i < 100; i++) {
                monitor.refresh();
            }
            await(() -> looks.get() > before);
            assertThat(looks.get() - before).as("looks of the %dth time", time).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        thrown.set(new IllegalStateException("it is not known"));
        monitor.refresh();
        await(() -> looks.get() == 1);
        monitor.refresh();
        await(() -> looks.get() == 2);
    }

    @Test
    void aServerIsAskedUntilItIsBackAndNoLonger() {
        thrown.set(new IllegalStateException("away"));
        watch(monitor, ONE, false);
        watch(monitor, ONE, false);
        await(() -> asked.get() >= 3);
        assertThat(looks.get()).as("who keeps what is found out before each").isGreaterThanOrEqualTo(asked.get() - 1);
        thrown.set(null);
        int before = asked.get();
        await(() -> asked.get() > before);
        awaitLater();
        awaitLater();
        assertThat(asked.get()).as("asked when it was back").isLessThanOrEqualTo(before + 2);
        watch(monitor, ONE, false);
        int again = asked.get();
        await(() -> asked.get() > again);
    }

    /** A server may be given up again while it is asked. That does not begin a second watch. */
    @Test
    void aServerThatIsGivenUpWhileItIsAskedIsAskedNoMoreOften() {
        AtomicInteger times = new AtomicInteger();
        Runnable askedAgain = new Runnable() {
            @Override
            public void run() {
                if (times.incrementAndGet() <= 4) {
                    monitor.watch(ONE, false, this);
                    throw new IllegalStateException("away");
                }
            }
        };
        monitor.watch(ONE, false, askedAgain);
        await(() -> times.get() >= 5);
        awaitLater();
        awaitLater();
        awaitLater();
        assertThat(times).as("once when it was back").hasValue(5);
    }

    @Test
    void anErrorEndsNoWatch() {
        thrown.set(new AssertionError("a mistake"));
        watch(monitor, ONE, false);
        await(() -> asked.get() + looks.get() >= 3);
        thrown.set(null);
        int before = asked.get();
        await(() -> asked.get() > before);
    }

    @Test
    void aSecondDoubtIsLookedIntoAsTheFirstWas() {
        for (int time = 1; time <= 3; time++) {
            for (int i = 0; i < 10; i++) {
                doubt(ONE);
            }
            int number = time;
            await(() -> doubted.get() >= number);
            awaitLater();
            assertThat(doubted).hasValue(time);
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aDoubtThatFailsIsNotTheLast(Throwable failure) {
        thrown.set(failure);
        for (int time = 1; time <= 3; time++) {
            doubt(ONE);
            int number = time;
            await(() -> doubted.get() == number);
        }
    }

    static List<Throwable> failures() {
        return List.of(new IllegalStateException("away"), new AssertionError("a mistake"));
    }

    @Test
    void nothingIsAskedOfTwoServersForTheSakeOfOne() {
        doubt(ONE);
        doubt(TWO);
        await(() -> doubted.get() == 2);
    }

    /** Keeps what is to be done later, with its pause, until a test lets the time pass. */
    private static final class LaterThread extends ScheduledThreadPoolExecutor {
        private final List<String> pauses = new ArrayList<>();
        private final Queue<Runnable> work = new ArrayDeque<>();

        LaterThread() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable look, long pause, TimeUnit unit) {
            pauses.add(unit.toMillis(pause) + " ms");
            work.add(look);
            return null;
        }

        void pass() {
            work.remove().run();
        }
    }

    @Test
    void aServerIsAskedAfterATenthOfASecondAndThenFourTimesASecond() {
        LaterThread later = new LaterThread();
        try (NodeMonitor inVirtualTime = new NodeMonitor(servers, later)) {
            thrown.set(new IllegalStateException("away"));
            watch(inVirtualTime, ONE, false);
            later.pass();
            later.pass();
            thrown.set(null);
            later.pass();
            assertThat(later.pauses).containsExactly("100 ms", "250 ms", "250 ms");
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void aServerThatWasBackLatelyIsAskedAfterASecond() {
        LaterThread later = new LaterThread();
        try (NodeMonitor inVirtualTime = new NodeMonitor(servers, later)) {
            thrown.set(new IllegalStateException("away"));
            watch(inVirtualTime, ONE, true);
            later.pass();
            assertThat(later.pauses).containsExactly("1000 ms", "250 ms");
        }
    }

    @Test
    void aDoubtIsLookedIntoAfterATenthOfASecond() {
        LaterThread later = new LaterThread();
        try (NodeMonitor inVirtualTime = new NodeMonitor(servers, later)) {
            inVirtualTime.doubt(ONE, doubted::incrementAndGet);
            inVirtualTime.doubt(ONE, doubted::incrementAndGet);
            later.pass();
            assertThat(later.pauses).containsExactly("100 ms");
            assertThat(doubted).hasValue(1);
        }
    }
}
