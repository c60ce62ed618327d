package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.RedisClient;

/** The scripts as they are shipped, but for the clock, on a real Redis. */
@Tag("store")
class RedisContractTest extends RateLimiterContract.OnAClock {
    @AutoClose
    private static final RedisServer redis = RedisServer.start();

    @AutoClose
    private static final RedisClient jedis = RedisClient.create(redis.uri());

    private VirtualTime time;

    @BeforeEach
    void empty() {
        jedis.flushAll();
        time = new VirtualTime(jedis);
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
