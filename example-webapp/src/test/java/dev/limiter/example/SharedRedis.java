package dev.limiter.example;

import dev.limiter.testkit.RedisServer;
import redis.clients.jedis.RedisClient;

/** The Redis of all deployments of this test run; it ends with the JVM. */
final class SharedRedis {
    private static final RedisServer SERVER = RedisServer.start();
    private static final RedisClient CLIENT = RedisClient.create(SERVER.uri());

    private SharedRedis() {}

    /** Lets what is deployed from now on find it. */
    static void configure() {
        System.setProperty("limiter.redis.uri", SERVER.uri());
    }

    static void empty() {
        CLIENT.flushAll();
    }

    /** How often a command has been called. */
    static long calls(String command) {
        return CLIENT.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
