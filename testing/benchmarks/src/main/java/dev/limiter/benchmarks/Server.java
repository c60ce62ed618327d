package dev.limiter.benchmarks;

import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The measured server: the machine's own {@code redis-server}, as operators run it, if there is
 * one. The server of the tests is built without the allocator of Redis and takes half as long
 * again for a script.
 */
final class Server {
    private static final String PROPERTY = "testkit.redis-server";
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");
    private static final Pattern PROCESS = Pattern.compile("process_id:(\\d+)");
    private static final Pattern ALLOCATOR = Pattern.compile("mem_allocator:(\\S+)");

    private Server() {}

    /** To be called before any server is started. */
    static void choose() {
        if (System.getProperty(PROPERTY) == null) {
            Command.path("redis-server").ifPresent(path -> System.setProperty(PROPERTY, path.toString()));
        }
    }

    /** The options by which other JVMs take the same server. */
    static List<String> options() {
        String chosen = System.getProperty(PROPERTY);
        return chosen == null ? List.of() : List.of("-D" + PROPERTY + "=" + chosen);
    }

    /** The server's name of itself. */
    static String text() {
        try (RedisServer redis = RedisServer.start()) {
            String origin = options().isEmpty() ? "the one of the tests" : "the machine's";
            return first(VERSION, redis, "server") + ", " + first(ALLOCATOR, redis, "memory") + ", " + origin;
        }
    }

    /** The number of its process. */
    static long pid(RedisServer redis) {
        return Long.parseLong(first(PROCESS, redis, "server"));
    }

    private static String first(Pattern pattern, RedisServer redis, String section) {
        return pattern.matcher((String) redis.command("INFO", section))
                .results()
                .map((MatchResult match) -> match.group(1))
                .findFirst()
                .orElse("unknown");
    }
}
