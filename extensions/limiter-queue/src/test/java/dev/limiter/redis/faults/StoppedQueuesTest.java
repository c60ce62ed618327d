package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.Stall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Queues under load while Redis is stopped. Its machine accepts bytes until the buffers of both
 * sides are full. Then a write takes as long as Redis is stopped.
 */
class StoppedQueuesTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final long PATIENCE_SECONDS = 60;
    private static final long STOPPED_SECONDS = 5;

    private static final long BETWEEN_REQUESTS_MILLIS = 10;
    private static final int WARM_UP = 200;

    /** Offers at a time, and how long their payloads are. */
    enum Load {
        MANY_OF_64_KIB(100, 10, 64 << 10, 200),
        SOME_OF_1_MIB(60, 2, 1 << 20, 2_000);

        private final int callers;
        private final int offers;
        private final String payload;
        private final long pauseMillis;

        /**
         * @param offers of each producer, one after the other
         * @param pauseMillis between two offers of one producer. With 30 MB a second in all,
         *     making the payloads does not dominate the measurement
         */
        Load(int callers, int offers, int bytes, long pauseMillis) {
            this.callers = callers;
            this.offers = offers;
            this.pauseMillis = pauseMillis;
            this.payload = "x".repeat(bytes);
        }

        BoundedQueue queue(RateLimiter limiter) {
            return BoundedQueues.of(limiter)
                    .queue(QueuePolicy.of("orders", 1_000_000).withPayloadsUpTo(QueuePolicy.MAX_PAYLOAD_BYTES));
        }
    }

    /**
     * No thread is held, and the server is given up until it is back, also without other calls.
     */
    @ParameterizedTest
    @EnumSource
    void offersEndWhileRedisIsStopped(Load load) throws Exception {
        LogAssertions told = new LogAssertions();
        ExecutorService threads = Executors.newFixedThreadPool(load.callers);
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), told, "limiter.redis.deadline", "500ms")) {
            BoundedQueue queue = load.queue(limiter);
            Moments.until("the store decides", () -> decidesByStore(limiter));
            redis.pause();
            List<Future<?>> offers = new ArrayList<>();
            for (int i = 0; i < load.callers; i++) {
                offers.add(threads.submit(() -> {
                    for (int offer = 0; offer < load.offers; offer++) {
                        assertThatExceptionOfType(StoreUnavailableException.class)
                                .isThrownBy(() -> queue.offer(load.payload));
                    }
                }));
            }
            for (Future<?> each : offers) {
                each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            Moments.until("the server is given up", () -> !told.open().isEmpty());
            redis.resume();
            Moments.until("the store decides again", () -> decidesByStore(limiter));
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean decidesByStore(RateLimiter limiter) {
        return Limiters.outcome(limiter, COUNTER, Limiters.key("bob")).equals("admitted by the store");
    }

    /** How long offers and limited requests take meanwhile. */
    @ParameterizedTest
    @EnumSource
    @Tag("faults")
    void limitsStayQuickWhileQueuesAreUnderLoad(Load load) throws Exception {
        LogAssertions told = new LogAssertions();
        List<Long> offers = Collections.synchronizedList(new ArrayList<>());
        List<long[]> requests = Collections.synchronizedList(new ArrayList<>());
        long opened = 0;
        long stopped;
        long resumed;
        long machine;
        try (Stall stall = Stall.begin();
                RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), told)) {
            BoundedQueue queue = load.queue(limiter);
            Moments.until("the store decides", () -> decidesByStore(limiter));
            for (int i = 0; i < WARM_UP; i++) {
                queue.policy().encoded(load.payload); // otherwise the first ones take longer than any call
            }
            redis.pause();
            stopped = System.nanoTime();
            try (Crowd producers = Crowd.of(load.callers, (thread, number) -> {
                        long began = System.nanoTime();
                        try {
                            queue.offer(load.payload);
                        } catch (StoreUnavailableException none) {
                            // as it has to be
                        }
                        offers.add(System.nanoTime() - began);
                        Moments.millis(load.pauseMillis);
                        return null;
                    });
                    Crowd callers = Crowd.of(4, (thread, number) -> {
                        long began = System.nanoTime();
                        Limiters.outcome(limiter, COUNTER, Limiters.key(thread));
                        requests.add(new long[] {began, System.nanoTime() - began});
                        Moments.millis(BETWEEN_REQUESTS_MILLIS);
                        return null;
                    })) {
                while (System.nanoTime() - stopped < TimeUnit.SECONDS.toNanos(STOPPED_SECONDS)) {
                    Moments.millis(5);
                    opened = opened == 0 && !told.open().isEmpty() ? System.nanoTime() : opened;
                }
                redis.resume();
                resumed = System.nanoTime();
                producers.stop();
                callers.stop();
            }
            machine = stall.longestNanos();
        }
        long givenUp = opened == 0 ? Long.MAX_VALUE : opened;
        Moments.say(
                "%s while Redis is stopped for %d s: the longest took %.0f ms; breaker open after %s ms; of %,d limited requests"
                        + " the longest %.1f ms, p99 with the breaker open %.2f ms",
                load,
                STOPPED_SECONDS,
                longest(offers) / 1e6,
                opened == 0 ? "-" : Long.toString((opened - stopped) / 1_000_000),
                requests.size(),
                longest(requests.stream().map(each -> each[1]).toList()) / 1e6,
                percentile99(requests.stream()
                                .filter(each -> each[0] > givenUp && each[0] < resumed)
                                .map(each -> each[1])
                                .sorted()
                                .toList())
                        / 1e6);
        assertThat(opened).isNotZero();
        assertThat(longest(offers)).isLessThan(TimeUnit.SECONDS.toNanos(STOPPED_SECONDS) / 2 + machine);
    }

    private static long longest(List<Long> nanos) {
        return Collections.max(nanos);
    }

    private static double percentile99(List<Long> sorted) {
        return sorted.isEmpty() ? Double.NaN : sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
    }
}
