package dev.limiter.redis.load;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two thousand requests a second for ten minutes, of a million callers in turn. Memory grows
 * only by the content of a window.
 */
@Tag("soak")
class SoakTest {
    private static final long SECONDS = Long.getLong("soak.seconds", 600);
    private static final Duration WINDOW = Duration.ofSeconds(SECONDS / 10);
    private static final int RATE = 2_000;
    private static final int THREADS = 8;
    private static final long KEYS = 1_000_000;
    private static final int SAMPLES = 40;
    private static final List<Policy> POLICIES = List.of(
            Policy.of("bucket", GCRA, 5, WINDOW),
            Policy.of("window", FIXED_WINDOW, 5, WINDOW),
            Policy.of("estimate", SLIDING_WINDOW, 5, WINDOW),
            Policy.of("log", SLIDING_LOG, 5, WINDOW),
            Policy.of("flight", CONCURRENCY, 5, WINDOW));

    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong fallback = new AtomicLong();
    private final AtomicLong unreleased = new AtomicLong();

    /** The memory at one moment. */
    private record Sample(long keys, long withoutEnd, long redisBytes, long heapBytes, long connections) {}

    @Test
    void nothingGrows() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = limiter(redis)) {
            long begin = System.nanoTime();
            long end = begin + TimeUnit.SECONDS.toNanos(SECONDS);
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long first = begin + thread * TimeUnit.SECONDS.toNanos(1) / RATE;
                running.add(threads.submit(() -> ask(limiter, first, end)));
            }
            List<Sample> samples = new ArrayList<>();
            for (int sample = 1; sample < SAMPLES; sample++) {
                TimeUnit.NANOSECONDS.sleep(begin + (end - begin) / SAMPLES * sample - System.nanoTime());
                samples.add(sample(redis));
            }
            for (Future<?> each : running) {
                each.get();
            }
            judge(samples, sample(redis));
        } finally {
            threads.shutdownNow();
        }
    }

    private Void ask(RateLimiter limiter, long first, long end) throws InterruptedException {
        long period = THREADS * TimeUnit.SECONDS.toNanos(1) / RATE;
        for (long next = first; next < end; next += period) {
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            long number = asked.getAndIncrement();
            Policy policy = POLICIES.get((int) (number % POLICIES.size()));
            PartitionKey key = PartitionKey.of("user", Long.toString(number * 7 % KEYS));
            Decision decision = limiter.acquire(CheckGroup.of(Check.of(policy, key)));
            fallback.addAndGet(decision.fallback() ? 1 : 0);
            if (policy.algorithm() == CONCURRENCY
                    && decision instanceof Decision.Admitted admission
                    && number % 2 == 0) {
                release(limiter, admission); // the other half is of those who died
            }
        }
        return null;
    }

    private void release(RateLimiter limiter, Decision.Admitted admission) {
        try {
            limiter.refund(admission);
        } catch (StoreUnavailableException late) {
            unreleased.incrementAndGet(); // it ends by itself
        }
    }

    /**
     * Flat, once two windows are over: the second half of what follows holds no more than the
     * first.
     */
    private void judge(List<Sample> samples, Sample last) {
        List<Sample> settled = samples.subList(SAMPLES / 5 + SAMPLES / 20, samples.size());
        List<Sample> early = settled.subList(0, settled.size() / 2);
        List<Sample> late = settled.subList(settled.size() / 2, settled.size());
        System.out.printf(
                "soak: %d s, %d requests (%.0f/s, %d by the fallback, %d leases not released), %d keys at the end, %d without a time to live; Redis %.1f"
                        + " -> %.1f MB, heap %.1f -> %.1f MB (means of two halves after two windows); connections %d to %d%n",
                SECONDS,
                asked.get(),
                (double) asked.get() / SECONDS,
                fallback.get(),
                unreleased.get(),
                last.keys(),
                last.withoutEnd(),
                megabytes(early, Sample::redisBytes),
                megabytes(late, Sample::redisBytes),
                megabytes(early, Sample::heapBytes),
                megabytes(late, Sample::heapBytes),
                settled.stream().mapToLong(Sample::connections).min().orElseThrow(),
                settled.stream().mapToLong(Sample::connections).max().orElseThrow());
        assertThat(asked.get()).isGreaterThanOrEqualTo(RATE * SECONDS * 99 / 100);
        assertThat(samples).allMatch(sample -> sample.withoutEnd() == 0);
        assertThat(last.withoutEnd()).isZero();
        assertThat(megabytes(late, Sample::redisBytes)).isLessThan(megabytes(early, Sample::redisBytes) * 1.05 + 1);
        assertThat(megabytes(late, Sample::heapBytes)).isLessThan(megabytes(early, Sample::heapBytes) * 1.05 + 4);
        assertThat(settled).allMatch(sample -> sample.connections() <= 8 + 1); // and the one that looks
    }

    private static double megabytes(List<Sample> samples, ToLongFunction<Sample> of) {
        return samples.stream().mapToLong(of).average().orElseThrow() / (1 << 20);
    }

    private static Sample sample(RedisServer redis) {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        String info = (String) redis.command("INFO");
        long keys = number(info, "db0:keys=");
        return new Sample(
                keys,
                keys - number(info, ",expires="),
                number(info, "\nused_memory:"),
                heap,
                number(info, "\nconnected_clients:"));
    }

    private static long number(String info, String name) {
        int at = info.indexOf(name);
        if (at < 0) {
            return 0;
        }
        String rest = info.substring(at + name.length());
        return Long.parseLong(
                rest.substring(0, rest.length() - rest.replaceFirst("^\\d+", "").length()));
    }

    private static RateLimiter limiter(RedisServer redis) {
        Map<String, String> settings = Map.of("limiter.redis.uri", redis.uri(), "limiter.redis.deadline", "1s");
        return new RedisRateLimiterProvider()
                .create("soak", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }
}
