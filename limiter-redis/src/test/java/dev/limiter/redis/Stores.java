package dev.limiter.redis;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.RedisServer;
import redis.clients.jedis.RedisClient;

/**
 * A Redis for one class of tests, and limiters in virtual time that keep what they count there,
 * or in memory.
 */
final class Stores implements AutoCloseable {
    private final RedisServer redis = RedisServer.start();
    private final RedisClient jedis = RedisClient.create(redis.uri());

    enum Store {
        REDIS,
        MEMORY
    }

    /** A limiter without any use before, and its clock. */
    record Fresh(RateLimiter limiter, VirtualTime time) {}

    Fresh fresh(Store store) {
        jedis.flushAll();
        VirtualTime time = new VirtualTime(jedis);
        return new Fresh(store == Store.REDIS ? time.limiter("fresh") : new LocalRateLimiter(time), time);
    }

    RedisClient jedis() {
        return jedis;
    }

    @Override
    public void close() {
        jedis.close();
        redis.close();
    }
}
