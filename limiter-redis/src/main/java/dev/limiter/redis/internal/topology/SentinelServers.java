package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.concurrent.atomic.AtomicReference;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.Delay;

/** The master that sentinels name. The sentinels report a new master by themselves. */
public final class SentinelServers implements ServerTopology {

    /**
     * The pause between two tries to subscribe to a sentinel that is away; it may be the one
     * that reports the new master.
     */
    private static final Delay RESUBSCRIBE = Delay.constant(Duration.ofMillis(500));

    private final RedisUri uri;
    private final JedisClientConfig client;
    private final JedisClientConfig sentinelClient;
    private final NodePools pools;
    private volatile SentineledConnectionProvider master;
    private final AtomicReference<HostAndPort> lastAsked = new AtomicReference<>();
    private boolean closed;

    public SentinelServers(RedisUri uri, JedisClientConfig client, NodePools pools) {
        this.uri = uri;
        this.client = client;
        this.pools = pools;
        this.sentinelClient = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .connectionTimeoutMillis(client.getConnectionTimeoutMillis())
                .socketTimeoutMillis(client.getSocketTimeoutMillis())
                .sslOptions(client.getSslOptions())
                .hostAndPortMapper(pools::resolved)
                .build();
    }

    @Override
    public int slot(byte[] key) {
        return 0;
    }

    @Override
    public HostAndPort of(int slot) {
        SentineledConnectionProvider known = master;
        return known == null ? uri.hosts().get(0) : known.getCurrentMaster();
    }

    @Override
    public Connection connection(int slot) {
        SentineledConnectionProvider known = master;
        if (known == null) {
            throw new JedisConnectionException("no sentinel has named the master \"" + uri.master() + "\" yet");
        }
        HostAndPort before = lastAsked.get(); // read first: the master that is named afterwards is no older
        HostAndPort asked = known.getCurrentMaster();
        if (!asked.equals(before) && lastAsked.compareAndSet(before, asked)) {
            pools.keepOnly(asked::equals);
        }
        return pools.connection(asked);
    }

    @Override
    public Connection connection(HostAndPort other) {
        throw new JedisClusterOperationException(whySentTo(other));
    }

    @Override
    public String whySentTo(HostAndPort other) {
        return of(0) + " is a node of a cluster, and sent us to " + other
                + "; no sentinel has to do with that: write redis-cluster:// in limiter.redis.uri";
    }

    @Override
    public boolean isAsked(HostAndPort server) {
        return of(0).equals(server);
    }

    @Override
    public void forgetIdle(HostAndPort server) {
        pools.forgetIdle(server);
    }

    /** Asks the first time only; later the sentinels report. */
    @Override
    public synchronized void lookAgain() {
        if (master == null && !closed) {
            try {
                master = new SentineledConnectionProvider(
                        uri.master(),
                        client,
                        NodePools.unused(),
                        new LinkedHashSet<>(uri.hosts()),
                        sentinelClient,
                        RESUBSCRIBE);
            } catch (JedisConnectionException silent) {
                throw new JedisConnectionException(silent.getMessage() + reasons(), silent);
            }
        }
    }

    /** Why each sentinel cannot be reached: Jedis only logs it. */
    private String reasons() {
        StringBuilder reasons = new StringBuilder();
        for (HostAndPort sentinel : uri.hosts()) {
            try {
                pools.sockets(sentinel).createSocket().close();
            } catch (JedisException | IOException failed) {
                reasons.append(' ').append(failed.getMessage()).append('.');
            }
        }
        return reasons.toString();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (master != null) {
            master.close();
        }
        pools.close();
    }
}
