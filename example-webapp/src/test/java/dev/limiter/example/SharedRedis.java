package dev.limiter.example;

import dev.limiter.testkit.RedisServer;
import java.util.Set;
import org.awaitility.Awaitility;
import redis.clients.jedis.RedisClient;

/** The Redis of all deployments of this test run; it ends with the JVM. */
final class SharedRedis {
    private static final RedisServer SERVER = RedisServer.start();
    private static final RedisClient CLIENT = RedisClient.create(SERVER.uri());

    private SharedRedis() {}

    /** Lets what is deployed from now on find it, and have patience: no test may fail because the machine is slow. */
    static void configure() {
        System.setProperty("limiter.redis.uri", SERVER.uri());
        System.setProperty("limiter.redis.deadline", "20s");
    }

    static void empty() {
        CLIENT.flushAll();
    }

    /** How many clients are connected, this one included. */
    static long connections() {
        return CLIENT.info("clients")
                .lines()
                .filter(line -> line.startsWith("connected_clients:"))
                .mapToLong(line -> Long.parseLong(line.substring("connected_clients:".length())))
                .sum();
    }

    /** Waits until as many are connected again as there were: the server notices a closed connection a moment later. */
    static void awaitConnections(long expected) {
        Awaitility.await().until(SharedRedis::connections, connections -> connections == expected);
    }

    static Set<String> keys() {
        return CLIENT.keys("*");
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
