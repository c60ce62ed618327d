package dev.limiter.redis.internal.limiter;

import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.node.ClockWatch;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.util.JedisClusterCRC16;

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
     */
    public RateLimiter limiter(PreparedPolicies policies) {
        Probe probe = new Probe(policies, servers);
        Nodes nodes = new Nodes(servers, atOnce, watchdog, timeouts, nanos, signals, probe);
        new StartupDiagnostics(nodes, servers, probe, uri.name(), signals).look();
        RedisRateLimiter limiter = new RedisRateLimiter(
                new ScriptExecutor(nodes, nanos, signals, clocks()), policies, signals, uri.name(), nanos);
        return uri.kind() == RedisUri.Kind.CLUSTER
                ? new ClusterRateLimiter(
                        limiter,
                        (policy, key) ->
                                JedisClusterCRC16.getSlot(policies.of(policy).key(key)),
                        timeouts,
                        nanos)
                : limiter;
    }

    /** Each server has a clock of its own. */
    private Function<byte[], ClockWatch> clocks() {
        Map<HostAndPort, ClockWatch> watches = new ConcurrentHashMap<>();
        ClockWatch only = new ClockWatch(signals);
        return uri.kind() == RedisUri.Kind.CLUSTER
                ? key -> watches.computeIfAbsent(
                        servers.of(JedisClusterCRC16.getSlot(key)), server -> new ClockWatch(signals))
                : key -> only;
    }
}
