package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.AbandonedConfig;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;

class NodePoolTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final RedisServer redis = RedisServer.start();
    private final NodePool pool = new NodePool(
            new BasePooledObjectFactory<>() {
                @Override
                public Connection create() {
                    return connected();
                }

                @Override
                public PooledObject<Connection> wrap(Connection made) {
                    return new DefaultPooledObject<>(made);
                }
            },
            config(),
            LONG);

    private static ConnectionPoolConfig config() {
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(1);
        config.setJmxEnabled(false);
        return config;
    }

    private Connection connected() {
        DefaultJedisClientConfig client = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .build();
        return new StrictConnection.Builder(null)
                .socketFactory(new DefaultJedisSocketFactory(new HostAndPort("127.0.0.1", redis.port()), client))
                .clientConfig(client)
                .build();
    }

    @AfterEach
    void close() {
        pool.close();
        redis.close();
    }

    private void takeBackAllThatHaveBeenLostFor(Duration span) throws Exception {
        AbandonedConfig abandoned = new AbandonedConfig();
        abandoned.setRemoveAbandonedOnMaintenance(true);
        abandoned.setRemoveAbandonedTimeout(span);
        pool.setAbandonedConfig(abandoned);
        pool.evict();
    }

    /** Its thread met an error before it could give it back. */
    @Test
    void aConnectionThatIsLostLeavesItsPlace() throws Exception {
        assertThat(pool.getResource().ping()).isTrue();
        pool.evict();
        assertThat(pool.getNumActive()).isEqualTo(1);
        takeBackAllThatHaveBeenLostFor(Duration.ZERO);
        assertThat(pool.getNumActive()).isZero();
    }

    /** The pool does not see that it is taken and given back. */
    @Test
    void aConnectionThatWasAtHandCountsAsUsed() {
        StrictConnection connection = (StrictConnection) pool.getResource();
        assertThat(connection.getLastUsed()).isZero();
        connection.close();
        assertThat(pool.getResource()).isSameAs(connection);
        long used = connection.getLastUsed();
        assertThat(used).isPositive();
        assertThat(connection.getLastUsed()).as("once for each use").isEqualTo(used);
    }
}
