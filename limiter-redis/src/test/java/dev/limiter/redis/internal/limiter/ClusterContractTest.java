package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisCluster;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The limiter as an application gets it, on a real cluster of three nodes. */
@Tag("store")
class ClusterContractTest extends RateLimiterContract {
    private static RedisCluster cluster;
    private static int tests;
    private RateLimiter limiter;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
    }

    /** Each test is an application of its own, so that it finds no counts of another. */
    @BeforeEach
    void connect() {
        Map<String, String> settings = Map.of(
                "limiter.redis.deadline", "1m", // no test may fail because the machine is slow
                "limiter.on-store-failure", "CLOSED", // what Redis does not decide is an exception here
                "limiter.redis.uri", cluster.uri());
        limiter = new RedisRateLimiterProvider()
                .create("zoo" + ++tests, name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }

    @AfterEach
    void disconnect() {
        limiter.close();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected RateLimiter limiter() {
        return limiter;
    }
}
