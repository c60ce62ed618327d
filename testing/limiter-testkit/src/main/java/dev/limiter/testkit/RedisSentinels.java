package dev.limiter.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A master, its replicas, and three sentinels that promote a replica when two of them have not
 * heard of the master for 1 s; all on 127.0.0.1.
 *
 * <pre>{@code
 * try (RedisSentinels redis = RedisSentinels.start(1)) {
 *     connect(redis.uri());      // redis-sentinel://127.0.0.1:14234,127.0.0.1:20815,127.0.0.1:11620#mymaster
 *     redis.cutReplication();    // what is written from now on
 *     redis.killMaster();
 *     redis.awaitPromotion();    // is lost; 2 to 4 s
 * }
 * }</pre>
 *
 * <p>Replicas, sentinels and clients alike know the first master by the port of a proxy,
 * {@link #frontOfFirstMaster}. Were the replicas alone to go through a proxy, the sentinels
 * would soon have noticed, and sent them to the master directly.
 */
public final class RedisSentinels implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SENTINELS = 3;

    /**
     * The replicas must not notice that they hear nothing: in seconds, and longer than any test.
     */
    private static final String[] UNNOTICED = {"--repl-timeout", "3600"};

    private final RedisServer firstMaster;
    private final FaultProxy front;
    private final List<RedisServer> replicas = new ArrayList<>();
    private final List<Sentinel> sentinels = new ArrayList<>();

    private RedisSentinels() {
        firstMaster = RedisServer.start(UNNOTICED);
        front = FaultProxy.to(firstMaster);
    }

    /**
     * Starts everything and waits until each sentinel knows the other two, and each replica as
     * one that it may promote.
     *
     * @param replicas at least 1
     * @throws IllegalStateException if that takes more than 30 seconds
     */
    public static RedisSentinels start(int replicas) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas must be at least 1, was " + replicas);
        }
        RedisSentinels started = new RedisSentinels();
        try {
            started.join(replicas);
            return started;
        } catch (RuntimeException failed) {
            started.close();
            throw failed;
        }
    }

    /**
     * {@code redis-sentinel://127.0.0.1:p1,127.0.0.1:p2,127.0.0.1:p3#mymaster} with the ports of
     * the sentinels.
     */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "#" + Sentinel.MASTER_NAME));
    }

    /** The master, as the first sentinel sees it; it may have died. */
    public RedisServer master() {
        return serverOn(sentinels.get(0).masterPort());
    }

    /** The replicas of the beginning, of which one may be the master by now. */
    public List<RedisServer> replicas() {
        return List.copyOf(replicas);
    }

    /** The proxy in front of the first master, for all clients. */
    public FaultProxy frontOfFirstMaster() {
        return front;
    }

    /**
     * Waits until the replicas have received everything that was written so far, and lets them
     * receive nothing more from the first master; neither they nor the sentinels notice, so that
     * each can still be promoted.
     *
     * @throws IllegalStateException if they lag behind for more than 30 seconds
     */
    public void cutReplication() {
        long written = offset(firstMaster, "master_repl_offset");
        Eventually.await(
                "the replicas have received " + written + " bytes",
                PATIENCE,
                () -> replicas.stream().allMatch(replica -> offset(replica, "slave_repl_offset") >= written));
        front.blackHole("PSYNC");
    }

    /** Kills the master as by {@code kill -9}. */
    public void killMaster() {
        master().kill();
    }

    /**
     * Waits until a replica has taken the first master's place, and every sentinel knows.
     *
     * @throws IllegalStateException if that takes more than 30 seconds
     */
    public void awaitPromotion() {
        Eventually.await("a replica is promoted", PATIENCE, this::isPromoted);
    }

    /** From now on clients of sentinels need this password; {@link #master} works no more. */
    public void requirePassword(String password) {
        sentinels.forEach(sentinel -> sentinel.call("ACL", "SETUSER", "default", ">" + password));
    }

    /** From now on the sentinels take no silence for the end of the master. */
    public void keepMaster() {
        sentinels.forEach(sentinel ->
                sentinel.call("SENTINEL", "SET", Sentinel.MASTER_NAME, "down-after-milliseconds", "3600000"));
    }

    /** Ends the sentinels only. */
    public void killSentinels() {
        sentinels.forEach(sentinel -> sentinel.process().stop());
    }

    /** Ends everything. */
    @Override
    public void close() {
        killSentinels();
        replicas.forEach(RedisServer::close);
        front.close();
        firstMaster.close();
    }

    private void join(int count) {
        String port = Integer.toString(front.port());
        for (int i = 0; i < count; i++) {
            replicas.add(RedisServer.start("--replicaof", "127.0.0.1", port, UNNOTICED[0], UNNOTICED[1]));
        }
        Eventually.await(
                "the replicas follow the master",
                PATIENCE,
                () -> replicas.stream().allMatch(replica -> replication(replica).contains("master_link_status:up")));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(Sentinel.watching(front.port()));
        }
        Eventually.await(
                "the sentinels know everyone",
                PATIENCE,
                () -> sentinels.stream().allMatch(sentinel -> sentinel.knows(count, SENTINELS - 1)));
    }

    private boolean isPromoted() {
        int port = sentinels.get(0).masterPort();
        return port != front.port()
                && sentinels.stream().allMatch(sentinel -> sentinel.masterPort() == port)
                && replication(serverOn(port)).contains("role:master");
    }

    private RedisServer serverOn(int port) {
        return port == front.port()
                ? firstMaster
                : replicas.stream()
                        .filter(replica -> replica.port() == port)
                        .findFirst()
                        .orElseThrow();
    }

    private static long offset(RedisServer server, String field) {
        return replication(server)
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToLong(line -> Long.parseLong(line.substring(field.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static String replication(RedisServer server) {
        return (String) server.command("INFO", "replication");
    }
}
