package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.node.Probe;
import dev.limiter.redis.internal.node.StartupDiagnostics;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.topology.ClusterServers;
import dev.limiter.redis.internal.topology.HostNames;
import dev.limiter.redis.internal.topology.NodePools;
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.SentinelServers;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.SingleServer;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.ToIntFunction;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisClientConfig;

/**
 * Puts together the parts that ask one Redis: its servers, the nodes, the scripts, and the
 * monitors.
 */
public final class RedisStore {
    /** Longer than any deadline. */
    private static final Duration LOST = Duration.ofMinutes(2);

    private RedisStore() {}

    /**
     * A limiter that throws when the store fails. It first checks the store, and logs the
     * findings.
     *
     * @param client how a connection is opened
     * @param atOnce round trips that may be under way at once to each server; at least 1
     * @param clock deadlines go by it
     * @param doubtReplies runs when earlier replies may not be true any more
     */
    public static RateLimiter limiter(
            RedisUri uri,
            JedisClientConfig client,
            int atOnce,
            Timeouts timeouts,
            ProcessClock clock,
            Signals signals,
            PreparedPolicies policies,
            Runnable doubtReplies) {
        Watchdog watchdog = new Watchdog(timeouts, clock);
        HostNames names = new HostNames(InetAddress::getAllByName);
        NodePools pools =
                new NodePools(client, connections(atOnce, timeouts), names, watchdog, timeouts, clock::realNanos, LOST);
        ServerTopology servers = switch (uri.kind()) {
            case SINGLE -> new SingleServer(uri.hosts().get(0), pools);
            case CLUSTER -> new ClusterServers(uri, client, pools);
            case SENTINEL -> new SentinelServers(uri, pools);
        };
        NodeConnection connection = new NodeConnection(servers, watchdog, timeouts, clock);
        Probe probe = new Probe(policies, servers, connection, clock);
        Nodes nodes = new Nodes(servers, connection, probe, atOnce, timeouts, clock, signals, doubtReplies);
        boolean decides = new StartupDiagnostics(nodes, servers, probe, uri.name(), signals).look();
        ScriptExecutor executor = new ScriptExecutor(nodes, clock::realNanos, signals);
        RedisRateLimiter redis = new RedisRateLimiter(executor, policies, signals, uri.name(), clock);
        ToIntFunction<Check> slots =
                check -> servers.slot(policies.of(check.policy()).key(check.key()));
        return decides && !servers.hasSlots() ? redis : new ClusterRateLimiter(redis, slots, timeouts, clock);
    }

    /**
     * Connections for the round trips under way, as many again for large nodes, and one for the
     * node monitor.
     */
    private static ConnectionPoolConfig connections(int atOnce, Timeouts timeouts) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(2 * atOnce + 1);
        pool.setMaxIdle(2 * atOnce + 1);
        pool.setMaxWait(Duration.ofMillis(timeouts.waitMillis()));
        pool.setTestOnBorrow(true);
        // A bean registered with the platform's server would outlive a redeployed application.
        pool.setJmxEnabled(false);
        return pool;
    }
}
