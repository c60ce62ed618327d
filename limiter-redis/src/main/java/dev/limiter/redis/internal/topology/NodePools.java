package dev.limiter.redis.internal.topology;

import dev.limiter.redis.internal.identity.ChangingCredentials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.commons.pool2.DestroyMode;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.PooledObjectState;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections to each server. Opening a connection, with its password and its database, has
 * a bound in time as a whole.
 */
public final class NodePools implements AutoCloseable {
    /** How long a refresh of the topology waits for the addresses of a name. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

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
     * @param lost no connection is in use for so long, unless its thread has lost it
     */
    public NodePools(
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

    /**
     * Asks one server after the other until one answers.
     *
     * @throws JedisConnectionException if none does; it has all reasons
     */
    void askOneOf(Collection<HostAndPort> servers, Consumer<HostAndPort> question) {
        List<String> reasons = new ArrayList<>();
        JedisException last = null;
        for (HostAndPort server : servers) {
            try {
                question.accept(server);
                return;
            } catch (JedisException failed) {
                notOpened(failed);
                reasons.add(failed.getMessage());
                last = failed;
            }
        }
        throw new JedisConnectionException(String.join("; ", reasons), last);
    }

    /** Has newer credentials asked for if a connection was not opened because of them. */
    private void notOpened(JedisException failed) {
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
                // The others are told with their next command.
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
     * The same server, when its name is resolved: Jedis itself would wait for the name without
     * bound.
     *
     * @throws JedisConnectionException if it is not resolved in time, or has no address
     */
    HostAndPort resolved(HostAndPort server) {
        sockets(server).addresses(LOOK_NANOS);
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
            Watch watch = watchdog.watch(connection, TimeUnit.MILLISECONDS.toNanos(timeouts.openMillis()));
            RuntimeException failed = null;
            try {
                work.run();
            } catch (RuntimeException reason) {
                failed = reason;
            } finally {
                if (!watch.end()) {
                    Watch.cut(connection); // it may have opened its socket after it was cut off
                    failed = new JedisConnectionException(
                            "no connection to " + server + ": it was not ready within " + timeouts.openMillis() + " ms",
                            failed);
                }
            }
            if (failed != null) {
                throw failed;
            }
        }
    }
}
