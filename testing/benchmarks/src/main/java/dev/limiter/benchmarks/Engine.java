package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Single decisions, for JMH: the rejections of one key in a second, and the bytes allocated for
 * a decision.
 */
@State(Scope.Benchmark)
public class Engine {
    private final Policy gcra = Policy.of("gcra", Algorithm.GCRA, 10_000_000, Duration.ofSeconds(1));
    private final Policy fixed = Policy.of("fixed", Algorithm.FIXED_WINDOW, 10_000_000, Duration.ofSeconds(1));
    private final Policy log = Policy.of("log", Algorithm.SLIDING_LOG, 1_000_000, Duration.ofMillis(10));
    private final Policy rejecting = Policy.of("rejecting", Algorithm.GCRA, 1, Duration.ofDays(1));
    private final PartitionKey key = PartitionKey.of("user", "someone");

    private RedisServer redis;
    private RateLimiter limiter;

    /** For JMH. */
    public Engine() {}

    @Setup
    public void start() {
        Parent.endWithIt();
        redis = RedisServer.start();
        limiter = Limiters.of(redis);
        limiter.acquire(rejecting, key);
    }

    @TearDown
    public void stop() {
        limiter.close();
        redis.close();
    }

    @Benchmark
    public Decision rejected() {
        return limiter.acquire(rejecting, key);
    }

    @Benchmark
    public Decision gcra() {
        return limiter.acquire(gcra, key);
    }

    @Benchmark
    public Decision fixedWindow() {
        return limiter.acquire(fixed, key);
    }

    @Benchmark
    public Decision slidingLog() {
        return limiter.acquire(log, key);
    }
}
