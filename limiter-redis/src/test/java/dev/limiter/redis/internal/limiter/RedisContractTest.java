package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import redis.clients.jedis.RedisClient;

/** The scripts as they are shipped, but for the clock, on a real Redis. */
class RedisContractTest extends RateLimiterContract.OnAClock {
    private static RedisServer redis;
    private static RedisClient jedis;
    private VirtualTime time;
    private RateLimiter limiter;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
    }

    @BeforeEach
    void empty() {
        jedis.flushAll();
        time = new VirtualTime(jedis);
        limiter = limiter(Signals.NONE);
    }

    @AfterAll
    static void stop() {
        jedis.close();
        redis.close();
    }

    @Override
    protected RateLimiter limiter() {
        return limiter;
    }

    @Override
    protected RateLimiter limiter(Signals signals) {
        return time.limiter("zoo", signals);
    }

    @Override
    protected void advance(long micros) {
        time.advance(micros);
    }
}
