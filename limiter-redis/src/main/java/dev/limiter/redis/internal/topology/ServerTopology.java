package dev.limiter.redis.internal.topology;

import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The servers of the store, and the owner of each slot. Its knowledge may be old: Redis then
 * redirects calls, and {@link #refresh} refreshes it. Besides that, only opening connections
 * uses the network, and no request waits for a refresh. The defaults are those of a store with one
 * server at a time.
 */
public abstract class ServerTopology implements AutoCloseable {
    /** The connections that are kept. */
    final NodePools pools;

    ServerTopology(NodePools pools) {
        this.pools = pools;
    }

    /** Whether the keys of a call must lie in one slot. */
    public boolean hasSlots() {
        return false;
    }

    /** A call was refused because its keys lie in several slots. */
    public void useSlots() {}

    /** The slot of a key; 0 if slots do not matter. */
    public int slot(byte[] key) {
        return hasSlots() ? JedisClusterCRC16.getSlot(key) : 0;
    }

    /** The owner of a slot, as far as it is known; never null, because messages need a name. */
    public abstract HostAndPort of(int slot);

    /** Whether a slot has a known owner. */
    public boolean hasOwner(int slot) {
        return true;
    }

    /** The message for a redirect to another server. */
    public abstract String redirectHint(HostAndPort other);

    /**
     * A connection to the owner of a slot.
     *
     * @throws RuntimeException if none can be had
     */
    public abstract Connection connection(int slot);

    /**
     * A connection to a server that another server has named.
     *
     * @throws RuntimeException if none can be had
     */
    public Connection connection(HostAndPort server) {
        throw new JedisClusterOperationException(redirectHint(server));
    }

    /**
     * Whether a server owns a slot at present, so that it is worth asking whether it is back.
     */
    public boolean isPrimary(HostAndPort server) {
        return of(0).equals(server);
    }

    /**
     * Closes idle connections: they may lead to a server that has become a replica, or nowhere
     * any more.
     */
    public void forgetIdle(HostAndPort server) {
        pools.forgetIdle(server);
    }

    /**
     * Finds the owners of the slots again.
     *
     * @throws RuntimeException if it cannot find them
     */
    public abstract void refresh();

    @Override
    public void close() {
        pools.close();
    }
}
