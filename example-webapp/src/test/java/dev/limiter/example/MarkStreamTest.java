package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wait of a reader of marks, and the source of the marks. */
class MarkStreamTest {
    private static final int LOOKERS = 16;
    private static final int PROBES = 3;

    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();

    /** A server that takes connections and replies nothing, as a Redis that hangs. */
    @Test
    void oneAtATimeAsksAStoreThatFailedWhetherItIsBack() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            threads.submit(() -> acceptAll(silent));
            try (MarkStream marks = new MarkStream(URI.create("redis://127.0.0.1:" + silent.getLocalPort()), "marks")) {
                assertThat(marks.after(Optional.empty(), Duration.ofMinutes(1))).isEmpty();
                Future<?>[] looking = new Future<?>[LOOKERS];
                for (int i = 0; i < LOOKERS; i++) {
                    looking[i] = threads.submit(() -> {
                        while (accepted.get() < 1 + PROBES) {
                            marks.after(Optional.empty(), Duration.ofMinutes(1));
                        }
                    });
                }
                for (Future<?> each : looking) {
                    each.get(30, TimeUnit.SECONDS);
                }
                assertThat(mostOpen).hasValue(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Void acceptAll(ServerSocket silent) throws IOException {
        List<Socket> open = new ArrayList<>();
        while (true) {
            open.add(silent.accept());
            accepted.incrementAndGet();
            open.removeIf(MarkStreamTest::isClosedByTheClient);
            mostOpen.accumulateAndGet(open.size(), Math::max);
        }
    }

    /** Where a client has closed one connection before it opens another, this returns at once. */
    private static boolean isClosedByTheClient(Socket socket) {
        try {
            socket.setSoTimeout(1);
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            socket.close();
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void theMarksOfOneServerAreShared() {
        assertThat(Marks.ofOneServer("redis://user:pass@localhost:6379/0")).isPresent();
        assertThat(Marks.ofOneServer("rediss://[::1]")).isPresent();
    }

    /** The limiter takes them all, and the zoo must not fall for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:pass[word@localhost",
                "redis://:pass word@localhost",
                "redis://redis_1:6379",
                "redis://a:7000,b:7000",
                "redis-cluster://a:7000",
                "redis-sentinel://a:26379#zoo"
            })
    void whatIsNotPlainlyOneServerLeavesEachNodeItsOwn(String uri) {
        assertThat(Marks.ofOneServer(uri)).isEmpty();
    }
}
