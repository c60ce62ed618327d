package dev.limiter.redis.faults;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three nodes that ask as fast as they may, and a Redis that is away for five windows and comes
 * back empty.
 */
@Tag("faults")
class LocalFallbackTest {
    private static final int NODES = 3;
    private static final long AWAY_SECONDS = 10;
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final List<Policy> POLICIES = List.of(
            Policy.of("log", SLIDING_LOG, 60, WINDOW),
            Policy.of("window", FIXED_WINDOW, 60, WINDOW),
            Policy.of("bucket", GCRA, 60, WINDOW).withBurst(20));

    /**
     * A process records an admission when its reply arrives, which may be late on a busy
     * machine.
     */
    private static final Duration LATENESS = Duration.ofMillis(300);

    /**
     * Between two of its requests a node lets a little time pass, so that the machine can do
     * other things.
     */
    private static final long PAUSE_MICROS = 2_000;

    /**
     * An admission: when it was decided, and when its reply arrived, in µs since 1970 on the
     * clock of this machine.
     */
    private record Admission(long at, long heard, int node, boolean byStore) {}

    @Test
    void noWindowAdmitsMoreThanNodesTimesTheLimitAndNoFlipIsABurst() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(NODES * POLICIES.size());
        List<RateLimiter> nodes = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            for (int node = 0; node < NODES; node++) {
                nodes.add(Limiters.local(redis.uri(), new LogAssertions()));
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4 + AWAY_SECONDS + 6);
            List<List<Future<List<Admission>>>> running = new ArrayList<>();
            for (Policy policy : POLICIES) {
                List<Future<List<Admission>>> ofPolicy = new ArrayList<>();
                for (int node = 0; node < NODES; node++) {
                    int number = node;
                    ofPolicy.add(threads.submit(() -> ask(nodes.get(number), number, policy, end)));
                }
                running.add(ofPolicy);
            }
            TimeUnit.SECONDS.sleep(4);
            long gone = nowMicros();
            redis.kill();
            TimeUnit.SECONDS.sleep(AWAY_SECONDS);
            redis.restart();
            long back = nowMicros();
            for (int i = 0; i < POLICIES.size(); i++) {
                List<Admission> admitted = new ArrayList<>();
                for (Future<List<Admission>> each : running.get(i)) {
                    admitted.addAll(each.get());
                }
                judge(POLICIES.get(i), admitted, gone, back);
            }
        } finally {
            threads.shutdownNow();
            nodes.forEach(RateLimiter::close);
        }
    }

    private static List<Admission> ask(RateLimiter limiter, int node, Policy policy, long end) throws Exception {
        List<Admission> admitted = new ArrayList<>();
        while (System.nanoTime() < end) {
            Decision decision = limiter.acquire(policy, Limiters.key("alice"));
            if (decision.admitted()) {
                admitted.add(new Admission(decision.atMicros(), nowMicros(), node, !decision.fallback()));
            }
            TimeUnit.MICROSECONDS.sleep(PAUSE_MICROS);
        }
        return admitted;
    }

    private static void judge(Policy policy, List<Admission> admitted, long gone, long back) {
        long most = most(admitted.stream().mapToLong(Admission::heard), LATENESS);
        long mostOfOne = 0;
        for (int node = 0; node < NODES; node++) {
            int number = node;
            mostOfOne = Math.max(
                    mostOfOne,
                    most(
                            admitted.stream()
                                    .filter(each -> each.node() == number)
                                    .mapToLong(Admission::heard),
                            LATENESS));
        }
        long before = most(
                admitted.stream()
                        .filter(each -> each.byStore() && each.at() < gone)
                        .mapToLong(Admission::at),
                Duration.ZERO);
        long after = most(
                admitted.stream()
                        .filter(each -> each.byStore() && each.at() > back)
                        .mapToLong(Admission::at),
                Duration.ZERO);
        long byStoreAgain = admitted.stream()
                .filter(each -> each.byStore() && each.at() > back)
                .mapToLong(each -> each.at() - back)
                .min()
                .orElseThrow();
        System.out.printf(
                "faults: LOCAL, %d nodes, Redis away %d s, %s: most in any window %d, of one node %d, limit %d;"
                        + " of the store alone %d before and %d after; it decides again after %.1f s%n",
                NODES,
                AWAY_SECONDS,
                policy.name(),
                most,
                mostOfOne,
                policy.rules().mostInAnyWindow(),
                before,
                after,
                byStoreAgain / 1e6);
        assertThat(before).isLessThanOrEqualTo(policy.rules().mostInAnyWindow());
        assertThat(mostOfOne).isLessThanOrEqualTo(policy.rules().mostInAnyWindow());
        assertThat(most).isLessThanOrEqualTo(NODES * policy.rules().mostInAnyWindow());
        assertThat(after).isLessThanOrEqualTo(policy.rules().mostInAnyWindow());
    }

    private static long nowMicros() {
        return System.currentTimeMillis() * 1_000;
    }

    /**
     * The most in any half-open interval of a window's length, less a tolerance for late
     * instants.
     */
    private static long most(LongStream instants, Duration lateness) {
        long[] at = instants.sorted().toArray();
        long length = TimeUnit.NANOSECONDS.toMicros(WINDOW.minus(lateness).toNanos());
        int most = 0;
        for (int first = 0, last = 0; last < at.length; last++) {
            while (at[last] - at[first] >= length) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
