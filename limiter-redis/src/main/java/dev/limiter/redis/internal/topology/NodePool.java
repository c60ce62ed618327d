package dev.limiter.redis.internal.topology;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.commons.pool2.PooledObjectFactory;
import org.apache.commons.pool2.impl.AbandonedConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;

/**
 * The connections to one server. A few of those that were used last are kept at hand: round trips
 * in a row take and give back a connection by an atomic step. Whatever else has to be done to a
 * connection, the pool does: opening, authenticating anew, looking at idle ones, closing.
 */
final class NodePool extends ConnectionPool {
    /** As many as round trips are under way at once, unless configured otherwise. */
    private static final int KEPT = 2;

    private final AtomicReferenceArray<Connection> kept = new AtomicReferenceArray<>(KEPT);

    /** @param lost no round trip takes so long: a connection that is not given back then is lost */
    NodePool(PooledObjectFactory<Connection> opening, ConnectionPoolConfig connections, Duration lost) {
        super(opening, connections);
        AbandonedConfig abandoned = new AbandonedConfig();
        abandoned.setRemoveAbandonedOnMaintenance(true); // a thread out of memory or stack gives nothing back
        abandoned.setRemoveAbandonedTimeout(lost);
        setAbandonedConfig(abandoned);
        // A thread that just missed a connection at hand opens another instead of waiting.
        setMaxTotal(connections.getMaxTotal() + KEPT);
    }

    @Override
    public Connection getResource() {
        for (int i = 0; i < KEPT; i++) {
            Connection connection = kept.get(i) == null ? null : kept.getAndSet(i, null);
            if (connection == null) {
                continue;
            }
            if (((StrictConnection) connection).isReady()) {
                connection.setHandlingPool(this);
                ((StrictConnection) connection).use();
                return connection;
            }
            super.returnResource(connection); // and is validated before it is used
        }
        Connection connection = super.getResource();
        ((StrictConnection) connection).use();
        return connection;
    }

    @Override
    public void returnResource(Connection connection) {
        for (int i = 0; i < KEPT; i++) {
            if (kept.get(i) == null && kept.compareAndSet(i, null, connection)) {
                if (isClosed()) {
                    giveBackKept();
                }
                return;
            }
        }
        super.returnResource(connection);
    }

    private void giveBackKept() {
        for (int i = 0; i < KEPT; i++) {
            Connection connection = kept.getAndSet(i, null);
            if (connection != null) {
                super.returnResource(connection);
            }
        }
    }

    @Override
    public void clear() {
        giveBackKept();
        super.clear();
    }

    /** Also called by the pool itself, so that a connection that is not used is closed in time. */
    @Override
    public void evict() throws Exception {
        giveBackKept();
        super.evict();
    }

    @Override
    public void close() {
        super.close();
        giveBackKept();
    }
}
