package dev.limiter.servers;

import dev.limiter.testkit.RedisServer;
import java.util.Map;
import java.util.Set;
import redis.clients.jedis.RedisClient;

/** The Redis of every WAR of this test run; it ends with the JVM of the tests. */
final class SharedRedis {
    private static final RedisServer SERVER = RedisServer.start();
    private static final RedisClient CLIENT = RedisClient.create(SERVER.uri());

    private SharedRedis() {}

    /** How to find it, and to have patience: no test may fail because the machine is slow. */
    static Map<String, String> settings() {
        return Map.of("limiter.redis.uri", SERVER.uri(), "limiter.redis.deadline", "20s");
    }

    static void empty() {
        CLIENT.flushAll();
    }

    /** What all limits together have left there: one key a partition. */
    static Set<String> keys() {
        return CLIENT.keys("*");
    }
}
