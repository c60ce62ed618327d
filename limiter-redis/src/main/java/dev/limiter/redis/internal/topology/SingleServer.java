package dev.limiter.redis.internal.topology;

import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** A store at a single address. Servers of several slots may be behind it. */
public final class SingleServer extends ServerTopology {
    private final HostAndPort server;
    private volatile boolean hasSlots;

    public SingleServer(HostAndPort server, NodePools pools) {
        super(pools);
        this.server = server;
    }

    @Override
    public boolean hasSlots() {
        return hasSlots;
    }

    @Override
    public void useSlots() {
        hasSlots = true;
    }

    @Override
    public HostAndPort of(int slot) {
        return server;
    }

    @Override
    public Connection connection(int slot) {
        return pools.connection(server);
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return server + " is a node of a cluster, and sent us to " + other
                + "; write redis-cluster:// in limiter.redis.uri";
    }

    /** Looks up the name only, so that requests find its addresses known. */
    @Override
    public void refresh() {
        pools.resolved(server);
    }
}
