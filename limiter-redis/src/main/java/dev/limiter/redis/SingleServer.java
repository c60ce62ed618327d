package dev.limiter.redis;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** One address, whatever answers there. */
final class SingleServer implements Servers {
    private final HostAndPort server;
    private final PooledConnectionProvider pool;

    SingleServer(HostAndPort server, JedisClientConfig client, ConnectionPoolConfig connections) {
        this.server = server;
        this.pool = new PooledConnectionProvider(server, client, connections);
    }

    @Override
    public int slot(CommandArguments command) {
        return 0;
    }

    @Override
    public int slot(byte[] key) {
        return 0;
    }

    @Override
    public HostAndPort of(int slot) {
        return server;
    }

    @Override
    public Connection connection(int slot) {
        return pool.getConnection();
    }

    @Override
    public Connection connection(HostAndPort other) {
        throw new JedisClusterOperationException(whySentTo(other));
    }

    @Override
    public String whySentTo(HostAndPort other) {
        return server + " is a node of a cluster, and sent us to " + other
                + "; write redis-cluster:// in limiter.redis.uri";
    }

    @Override
    public boolean isAsked(HostAndPort asked) {
        return server.equals(asked);
    }

    @Override
    public void forgetIdle(HostAndPort asked) {
        pool.getPool().clear();
    }

    @Override
    public void lookAgain() {
        // There is nobody to be asked.
    }

    @Override
    public void close() {
        pool.close();
    }
}
