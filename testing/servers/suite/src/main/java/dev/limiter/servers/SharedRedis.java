package dev.limiter.servers;

import static dev.limiter.servers.Waiting.await;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.ServerVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;

/** The Redis of every WAR of this test run; it ends with the JVM of the tests. */
final class SharedRedis {
    /** How many commands the slow log keeps, and gives. */
    private static final String MOST_NOTED = "10000";

    private static final Pattern SCRIPT_CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    private static final RedisServer SERVER = withLeastUser();
    private static final RedisClient CLIENT = RedisClient.create(SERVER.uri());

    private SharedRedis() {}

    /**
     * The limiter's user has only the permissions of docs/operating.md: any other command fails.
     */
    private static RedisServer withLeastUser() {
        RedisServer server = RedisServer.start();
        server.command(
                ("ACL SETUSER limiter on >suite resetkeys ~rl:* resetchannels -@all +eval +evalsha +time +get +set +del"
                                + " +pexpire +llen +lindex +lrange +rpush +ltrim +lrem +zadd +zrem +zscore +zcount +zrevrange"
                                + " +zrangebyscore +zremrangebyrank")
                        .split(" "));
        return server;
    }

    /**
     * Its address and a long deadline: no test may fail because the machine is slow. Rejections
     * are not cached, since a limiter is not told of {@link #empty}; {@link CachedRejection} tests
     * the cache.
     */
    static Map<String, String> settings() {
        return Map.of(
                "limiter.redis.uri",
                "redis://limiter:suite@127.0.0.1:" + SERVER.port(),
                "limiter.redis.deadline",
                "20s",
                "limiter.cache-rejections",
                "false");
    }

    /** The product and the version of this server. */
    static ServerVersion version() {
        return ServerVersion.of(SERVER);
    }

    static void empty() {
        CLIENT.flushAll();
    }

    /** Records leases from now on. */
    static RecordedLeases recordedLeases() {
        RecordedLeases recorded = new RecordedLeases(SERVER.uri());
        await().until(() -> {
            CLIENT.ping();
            return recorded.hasBegun();
        });
        return recorded;
    }

    /** The keys of all limits: one for each partition. */
    static Set<String> keys() {
        return CLIENT.keys("*");
    }

    /** How many scripts it has run. */
    static long scriptCalls() {
        Matcher calls = SCRIPT_CALLS.matcher(text((byte[]) send(Protocol.Command.INFO, "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** The bytes that a key and its state take. */
    static long bytes(String key) {
        return CLIENT.memoryUsage(key);
    }

    /** Milliseconds until a key is forgotten; negative for never. */
    static long millisToLive(String key) {
        return CLIENT.pttl(key);
    }

    /** Makes it record each command from now on. */
    static void noteCommands() {
        send(Protocol.Command.CONFIG, "SET", "slowlog-max-len", MOST_NOTED);
        send(Protocol.Command.CONFIG, "SET", "slowlog-log-slower-than", "0");
        send(Protocol.Command.SLOWLOG, "RESET");
    }

    /** Ends {@link #noteCommands}. */
    static void noteNoCommands() {
        send(Protocol.Command.CONFIG, "SET", "slowlog-log-slower-than", "10000");
        send(Protocol.Command.SLOWLOG, "RESET");
    }

    /**
     * All that a reader of this Redis can see, a byte a character: keys, what they hold and as
     * it is stored, connections, and the commands that it noted.
     */
    static String everything() {
        StringBuilder all = new StringBuilder();
        for (String key : keys()) {
            all.append(key).append('\n').append(held(key)).append('\n').append(text(CLIENT.dump(key)));
        }
        append(send(Protocol.Command.CLIENT, "LIST"), all);
        append(send(Protocol.Command.SLOWLOG, "GET", MOST_NOTED), all);
        return all.toString();
    }

    private static Object send(Protocol.Command command, String... arguments) {
        return CLIENT.executeCommand(new CommandArguments(command).addObjects((Object[]) arguments));
    }

    private static String held(String key) {
        return switch (CLIENT.type(key)) {
            case "string" -> text(CLIENT.get(key.getBytes(StandardCharsets.US_ASCII)));
            case "list" -> CLIENT.lrange(key, 0, -1).toString();
            case "zset" -> CLIENT.zrangeWithScores(key, 0, -1).toString();
            case "hash" -> CLIENT.hgetAll(key).toString();
            default -> throw new IllegalStateException("look into a " + CLIENT.type(key));
        };
    }

    private static void append(Object reply, StringBuilder all) {
        if (reply instanceof List<?> several) {
            several.forEach(each -> append(each, all));
        } else {
            all.append(reply instanceof byte[] bytes ? text(bytes) : reply).append('\n');
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
