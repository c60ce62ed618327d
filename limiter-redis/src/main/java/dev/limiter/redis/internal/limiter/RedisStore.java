package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.node.Probe;
import dev.limiter.redis.internal.node.StartupDiagnostics;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.topology.ClusterServers;
import dev.limiter.redis.internal.topology.HostNames;
import dev.limiter.redis.internal.topology.NodePools;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.SentinelServers;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.SingleServer;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.LongSupplier;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.JedisClientConfig;

/**
 * Puts together the parts that ask one Redis: its servers, the nodes, the scripts, and the
 * monitors.
 */
public final class RedisStore {
    private final RedisUri uri;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final int atOnce;
    private final Watchdog watchdog;
    private final ServerTopology servers;

    /**
     * @param client how a connection is opened
     * @param atOnce round trips that may be under way at once to each server; at least 1
     * @param nanos a clock that does not step, in ns
     */
    public RedisStore(
            RedisUri uri,
            JedisClientConfig client,
            int atOnce,
            Timeouts timeouts,
            LongSupplier nanos,
            Signals signals) {
        this.uri = uri;
        this.atOnce = atOnce;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
        this.watchdog = new Watchdog(timeouts, nanos);
        NodePools pools = new NodePools(
                client,
                connections(atOnce, timeouts),
                new HostNames(InetAddress::getAllByName),
                watchdog,
                timeouts,
                nanos);
        this.servers = switch (uri.kind()) {
            case SINGLE -> new SingleServer(uri.hosts().get(0), pools);
            case CLUSTER -> new ClusterServers(uri, client, pools);
            case SENTINEL -> new SentinelServers(uri, pools);
        };
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

    /**
     * A limiter that throws when the store fails. It first checks the store, and logs the
     * findings.
     *
     * @param cachesRejections whether rejections that are certain to hold are answered without
     *     asking
     */
    public RateLimiter limiter(PreparedPolicies policies, boolean cachesRejections) {
        RejectionCache rejections = new RejectionCache();
        NodeConnection connection = new NodeConnection(servers, watchdog, timeouts, nanos);
        Probe probe = new Probe(policies, servers, connection, nanos);
        Nodes nodes = new Nodes(servers, connection, probe, atOnce, timeouts, nanos, signals, rejections::clear);
        new StartupDiagnostics(nodes, servers, probe, uri.name(), signals).look();
        RedisRateLimiter redis =
                new RedisRateLimiter(new ScriptExecutor(nodes, nanos, signals), policies, signals, uri.name(), nanos);
        RateLimiter store =
                uri.kind() == RedisUri.Kind.CLUSTER ? new ClusterRateLimiter(redis, timeouts, nanos) : redis;
        return cachesRejections ? new RejectionCachingRateLimiter(store, rejections, nanos) : store;
    }
}
