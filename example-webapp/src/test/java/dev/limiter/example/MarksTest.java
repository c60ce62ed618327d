package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.local.LocalRateLimiter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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

/** Marks without Redis, and while it does not answer. */
class MarksTest {
    private static final int LOOKERS = 16;

    @Test
    void withoutRedisTheLatestOfThisInstanceAreShownPageByPage() {
        Marks marks = new Marks();
        marks.open();
        Decision admitted = new LocalRateLimiter()
                .acquire(Policy.of("gcra", Algorithm.GCRA, 10, Duration.ofSeconds(10)), PartitionKey.of("user", "ann"));
        for (int i = 0; i < RecentMarks.MOST + 10; i++) {
            marks.record("strategies/gcra", "ann", List.of(admitted));
        }
        List<String> shown = new ArrayList<>();
        Optional<MarkId> since = Optional.empty();
        for (int pages = 0; pages <= RecentMarks.MOST / MarkPage.MOST; pages++) {
            MarkPage page = marks.after(since);
            assertThat(page.source()).isEqualTo(MarkPage.Source.ALONE);
            page.marks().forEach(mark -> shown.add(mark.id().replaceAll(".*-", "")));
            since = Optional.of(MarkId.parse(page.last()));
        }
        assertThat(shown)
                .hasSize(RecentMarks.MOST)
                .doesNotHaveDuplicates()
                .startsWith("11")
                .endsWith("2010");
    }

    @Test
    void marksOfOneMillisecondHavePlacesOfTheirOwn() {
        MarkId first = new MarkId(0, 0).next(5);
        assertThat(first.next(5)).hasToString("5-1").isGreaterThan(first);
        assertThat(first.next(4)).as("when the clock steps back").hasToString("5-1");
        assertThatThrownBy(() -> MarkId.parse("5-0; FLUSHALL")).isInstanceOf(IllegalArgumentException.class);
    }

    /** The limiter takes them all, and the zoo must not fall for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:pass[word@localhost",
                "redis://redis_1:6379",
                "redis://a:7000,b:7000",
                "redis-cluster://a:7000"
            })
    void whatIsNotPlainlyOneServerLeavesEachNodeItsOwn(String uri) {
        assertThat(Marks.ofOneServer(uri)).isEmpty();
        assertThat(Marks.ofOneServer("rediss://user:pass@[::1]:6379/0")).isPresent();
    }

    /** A server that takes connections and replies nothing, as a Redis that hangs. */
    @Test
    void oneAtATimeAsksAStoreThatFailedWhetherItIsBack() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        AtomicInteger asked = new AtomicInteger();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MarkStream marks = new MarkStream(URI.create("redis://127.0.0.1:" + silent.getLocalPort()), "marks")) {
            threads.submit(() -> {
                for (List<Socket> open = new ArrayList<>(); ; asked.incrementAndGet()) {
                    open.add(silent.accept());
                }
            });
            assertThat(marks.after(Optional.empty(), Duration.ZERO)).isEmpty();
            List<Future<?>> lookers = new ArrayList<>();
            for (int i = 0; i < LOOKERS; i++) {
                lookers.add(threads.submit(() -> {
                    while (asked.get() < 2) {
                        marks.after(Optional.empty(), Duration.ZERO);
                    }
                }));
            }
            for (Future<?> each : lookers) {
                each.get(30, TimeUnit.SECONDS);
            }
            assertThat(asked).hasValue(2);
        } finally {
            threads.shutdownNow();
        }
    }
}
