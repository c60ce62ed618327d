package dev.limiter.redis.internal.topology;

import dev.limiter.redis.internal.identity.ChangingCredentials;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.commons.pool2.DestroyMode;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.PooledObjectState;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The connections to each server. Opening a connection, with its password and its database, has
 * a bound in time as a whole.
 */
public final class NodePools implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");

    /** Longer than any deadline. */
    private static final Duration LOST = Duration.ofMinutes(2);

    private final Map<HostAndPort, ConnectionPool> pools = new ConcurrentHashMap<>();
    private final JedisClientConfig client;

    /** Null if they do not change. */
    private final ChangingCredentials credentials;

    private final ConnectionPoolConfig connections;
    private final HostNames names;
    private final Watchdog watchdog;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Duration lost;
    private boolean closed;

    /**
     * @param client how a connection is opened
     * @param connections for each server
     * @param nanos a clock that does not step, in ns
     */
    public NodePools(
            JedisClientConfig client,
            ConnectionPoolConfig connections,
            HostNames names,
            Watchdog watchdog,
            Timeouts timeouts,
            LongSupplier nanos) {
        this(client, connections, names, watchdog, timeouts, nanos, LOST);
    }

    NodePools(
            JedisClientConfig client,
            ConnectionPoolConfig connections,
            HostNames names,
            Watchdog watchdog,
            Timeouts timeouts,
            LongSupplier nanos,
            Duration lost) {
        this.client = client;
        this.lost = lost;
        this.credentials = client.getCredentialsProvider() instanceof ChangingCredentials changing ? changing : null;
        this.connections = connections;
        this.names = names;
        this.watchdog = watchdog;
        this.timeouts = timeouts;
        this.nanos = nanos;
        if (credentials != null) {
            credentials.whenRenewed(this::authenticateIdle, timeouts.deadlineMillis());
        }
    }

    /**
     * A connection to a server, to be closed after use.
     *
     * @throws RuntimeException if none can be had in time
     */
    public Connection connection(HostAndPort server) {
        ConnectionPool known = pools.get(server);
        return (known != null ? known : pool(server)).getResource();
    }

    private synchronized ConnectionPool pool(HostAndPort server) {
        if (closed) {
            throw new JedisConnectionException("no connection to " + server + ": the limiter is closed");
        }
        return pools.computeIfAbsent(server, none -> new NodePool(new Opening(server), connections, lost));
    }

    /** Closes the connections to a server that are not in use. */
    public void forgetIdle(HostAndPort server) {
        ConnectionPool known = pools.get(server);
        if (known != null) {
            known.clear();
        }
    }

    /** Has newer credentials asked for if a connection was not opened because of them. */
    void notOpened(RuntimeException failed) {
        if (credentials != null) {
            credentials.refusedIn(failed);
        }
    }

    /** Those in use are authenticated with their next command. */
    private void authenticateIdle() {
        pools.forEach((server, pool) -> {
            try {
                pool.evict(); // validates each idle connection
            } catch (Exception closed) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "The idle connections to {0} were not looked at: {1}",
                        server,
                        closed);
            }
        });
    }

    /** Closes the connections to all other servers; those in use are closed after use. */
    public void keepOnly(Predicate<HostAndPort> kept) {
        pools.forEach((server, pool) -> {
            if (!kept.test(server) && pools.remove(server, pool)) {
                pool.close();
            }
        });
    }

    /**
     * For the pools that Jedis makes by itself. The limiter takes no connection from them, and
     * they keep none.
     */
    static GenericObjectPoolConfig<Connection> unused() {
        GenericObjectPoolConfig<Connection> unused = new GenericObjectPoolConfig<>();
        unused.setMaxIdle(0);
        unused.setJmxEnabled(false);
        return unused;
    }

    /**
     * The same server, when its name is resolved: Jedis itself would wait for the name without
     * bound.
     *
     * @throws JedisConnectionException if it is not resolved in time, or has no address
     */
    HostAndPort resolved(HostAndPort server) {
        sockets(server).addresses(ServerTopology.LOOK_NANOS);
        return server;
    }

    /** Sockets to a server. */
    ServerSockets sockets(HostAndPort server) {
        return new ServerSockets(server, client, names, nanos);
    }

    @Override
    public synchronized void close() {
        closed = true;
        keepOnly(server -> false);
        if (credentials != null) {
            credentials.close();
        }
    }

    /** Opens the connections of a pool. */
    private final class Opening extends ConnectionFactory {
        private final HostAndPort server;

        Opening(HostAndPort server) {
            super(ConnectionFactory.builder()
                    .clientConfig(client)
                    .connectionBuilder(new StrictConnection.Builder(credentials)
                            .socketFactory(sockets(server))
                            .clientConfig(client)));
            this.server = server;
        }

        /**
         * A connection that is lost was not given back. To close it in order would give it back
         * now, with what its thread has left in it.
         */
        @Override
        public void destroyObject(PooledObject<Connection> pooled, DestroyMode mode) throws Exception {
            if (mode == DestroyMode.ABANDONED) {
                pooled.getObject().setBroken();
                pooled.getObject().forceDisconnect();
            } else {
                super.destroyObject(pooled, mode);
            }
        }

        /** Before each use, and before an idle connection is looked at. */
        @Override
        public void activateObject(PooledObject<Connection> pooled) {
            ((StrictConnection) pooled.getObject()).authenticateWithNextCommand();
        }

        /** Whether a connection that was used before may be used again. */
        @Override
        public boolean validateObject(PooledObject<Connection> pooled) {
            StrictConnection connection = (StrictConnection) pooled.getObject();
            boolean valid = connection.isSilent();
            if (valid && pooled.getState() != PooledObjectState.ALLOCATED) {
                watched(connection, connection::authenticateNow);
            }
            if (!valid) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "A connection to {0} was closed: bytes came on it without a request",
                        server);
            }
            return valid;
        }

        @Override
        protected void initialize(Connection connection) {
            ((StrictConnection) connection).authenticatesWithNewest();
            try {
                watched(connection, () -> super.initialize(connection));
            } catch (JedisDataException failed) {
                notOpened(failed);
                throw failed;
            }
        }

        /** @throws RuntimeException if the connection is not ready in time */
        private void watched(Connection connection, Runnable work) {
            long late = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(timeouts.openMillis());
            Watchdog.Watch watch = watchdog.watch(connection, late);
            RuntimeException failed = null;
            try {
                work.run();
            } catch (RuntimeException reason) {
                failed = reason;
            } finally {
                if (!watch.end()) {
                    failed = tooLate(connection, failed);
                }
            }
            if (failed != null) {
                throw failed;
            }
        }

        /** Closes a connection that may have opened its socket after it was cut off. */
        private JedisConnectionException tooLate(Connection connection, RuntimeException reason) {
            try {
                connection.forceDisconnect();
            } catch (IOException closing) {
                // It is closed all the same.
            }
            return new JedisConnectionException(
                    "no connection to " + server + ": it was not ready within " + timeouts.openMillis() + " ms",
                    reason);
        }
    }
}
