package dev.limiter.redis.internal.topology;

import java.util.LinkedHashSet;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/** The masters of a cluster, each with its slots and its connections. */
public final class ClusterServers implements ServerTopology {
    private final RedisUri uri;
    private final JedisClientConfig client;
    private final NodePools pools;
    private volatile ClusterConnectionProvider nodes;
    private boolean closed;

    public ClusterServers(RedisUri uri, JedisClientConfig client, NodePools pools) {
        this.uri = uri;
        this.client = DefaultJedisClientConfig.builder()
                .from(client)
                .hostAndPortMapper(pools::resolved)
                .build();
        this.pools = pools;
    }

    @Override
    public int slot(byte[] key) {
        return JedisClusterCRC16.getSlot(key);
    }

    @Override
    public HostAndPort of(int slot) {
        ClusterConnectionProvider known = nodes;
        HostAndPort owner = known == null ? null : known.getNode(slot);
        return owner == null ? uri.hosts().get(0) : owner;
    }

    @Override
    public boolean hasOwner(int slot) {
        ClusterConnectionProvider known = nodes;
        return known == null || known.getNode(slot) != null;
    }

    @Override
    public boolean hasOneClock() {
        return false;
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return "the slot has moved to " + other;
    }

    @Override
    public Connection connection(int slot) {
        ClusterConnectionProvider known = nodes;
        HostAndPort owner = known == null ? null : known.getNode(slot);
        if (owner == null) {
            throw new JedisClusterOperationException("no node of the cluster is known to keep slot " + slot);
        }
        return pools.connection(owner);
    }

    @Override
    public Connection connection(HostAndPort server) {
        return pools.connection(server);
    }

    @Override
    public boolean isPrimary(HostAndPort server) {
        ClusterConnectionProvider known = nodes;
        return known == null || known.getPrimaryNodes().containsKey(server.toString());
    }

    @Override
    public void forgetIdle(HostAndPort server) {
        pools.forgetIdle(server);
    }

    @Override
    public synchronized void refresh() {
        if (closed) {
            return; // a refresh would open connections to the servers that it finds
        }
        try {
            look();
        } catch (RuntimeException failed) {
            pools.notOpened(failed);
            throw failed;
        }
    }

    private void look() {
        if (nodes != null) {
            nodes.renewSlotCache();
            Set<String> known = nodes.getNodes().keySet();
            pools.keepOnly(server -> known.contains(server.toString()));
        } else {
            nodes = new ClusterConnectionProvider(new LinkedHashSet<>(uri.hosts()), client, NodePools.unused());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (nodes != null) {
            nodes.close();
        }
        pools.close();
    }
}
