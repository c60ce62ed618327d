package dev.limiter.example;

import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import redis.clients.jedis.RedisClient;

/** The Redis of all deployments of this test run; it ends with the JVM. */
final class SharedRedis {
    private static final RedisServer SERVER = RedisServer.start();
    private static final RedisClient CLIENT = RedisClient.create(SERVER.uri());

    private SharedRedis() {}

    /**
     * Configures later deployments to use it, with a long deadline: no test may fail because the
     * machine is slow.
     */
    static void configure() {
        System.setProperty("limiter.redis.uri", SERVER.uri());
        System.setProperty("limiter.redis.deadline", "20s");
        System.setProperty("limiter.cache-rejections", "false"); // a limiter is not told when Redis is emptied
        System.setProperty("zoo.keeper.enabled", "false"); // only the tests ask, and they count what is asked
    }

    static void empty() {
        CLIENT.flushAll();
    }

    /** Lets a user do everything. */
    static void permit(String user, String password) {
        SERVER.command("ACL", "SETUSER", user, "on", "resetpass", ">" + password, "~*", "+@all");
    }

    /** Whether a user is connected. */
    static boolean isConnected(String user) {
        return ((String) SERVER.command("CLIENT", "LIST")).contains(" user=" + user + " ");
    }

    /** The connected clients, without the one that asks this. */
    static Set<String> clients() {
        String all = (String) SERVER.command("CLIENT", "LIST");
        return all.lines()
                .filter(line -> !line.contains(" cmd=client"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .collect(Collectors.toSet());
    }

    /**
     * Waits until only the clients of before are connected: the server notices a closed
     * connection a moment later.
     */
    static void awaitNoOtherConnectionBut(Set<String> before) {
        Awaitility.await().until(SharedRedis::clients, before::containsAll);
    }

    /** Puts an entry into a stream by hand. */
    static void add(String stream, String id, String payload) {
        SERVER.command("XADD", stream, id, "payload", payload);
    }

    static Set<String> keys() {
        return CLIENT.keys("*");
    }

    /** How often limits are decided meanwhile; instances also read what operators change. */
    static long decisions(Runnable requests) {
        SERVER.command("CONFIG", "SET", "slowlog-max-len", "10000");
        SERVER.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
        SERVER.command("SLOWLOG", "RESET");
        requests.run();
        List<?> entries = (List<?>) SERVER.command("SLOWLOG", "GET", "-1");
        SERVER.command("CONFIG", "SET", "slowlog-log-slower-than", "-1");
        return entries.stream()
                .map(entry -> (List<?>) ((List<?>) entry).get(3))
                .filter(words -> words.get(0).toString().equalsIgnoreCase("evalsha") && !words.contains("read"))
                .count();
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
