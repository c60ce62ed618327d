package dev.limiter.redis.internal.topology;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The master that sentinels name. The sentinels report a new master by themselves. A sentinel that
 * was cut off names the master of before, until the others reach it. So the one whose configuration
 * is the newest is believed.
 */
public final class SentinelServers implements ServerTopology {
    private final RedisUri uri;
    private final JedisClientConfig client;
    private final NodePools pools;
    private final List<SentinelListener> listeners = new ArrayList<>();
    private final Map<HostAndPort, Long> epochs = new HashMap<>();
    private volatile HostAndPort master;
    private final AtomicReference<HostAndPort> lastAsked = new AtomicReference<>();
    private boolean closed;

    /** @param pools also open connections to sentinels, with their time-outs and their TLS */
    public SentinelServers(RedisUri uri, NodePools pools) {
        this.uri = uri;
        this.pools = pools;
        this.client = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .user(uri.sentinelUser())
                .password(uri.sentinelPassword())
                .build();
    }

    @Override
    public int slot(byte[] key) {
        return 0;
    }

    @Override
    public HostAndPort of(int slot) {
        HostAndPort known = master;
        return known == null ? uri.hosts().get(0) : known;
    }

    @Override
    public Connection connection(int slot) {
        HostAndPort before = lastAsked.get(); // read first: the master that is named afterwards is no older
        HostAndPort asked = master;
        if (asked == null) {
            throw new JedisConnectionException("no sentinel has named the master \"" + uri.master() + "\" yet");
        }
        if (!asked.equals(before) && lastAsked.compareAndSet(before, asked)) {
            pools.keepOnly(asked::equals);
        }
        return pools.connection(asked);
    }

    @Override
    public Connection connection(HostAndPort other) {
        throw new JedisClusterOperationException(redirectHint(other));
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return of(0) + " is a node of a cluster, and sent us to " + other
                + "; no sentinel has to do with that: write redis-cluster:// in limiter.redis.uri";
    }

    @Override
    public boolean isPrimary(HostAndPort server) {
        return of(0).equals(server);
    }

    @Override
    public void forgetIdle(HostAndPort server) {
        pools.forgetIdle(server);
    }

    /** Asks the first time only; later the sentinels report. */
    @Override
    public synchronized void refresh() {
        if (master != null || closed) {
            return;
        }
        StringBuilder reasons = new StringBuilder();
        JedisException last = null;
        boolean refused = false;
        for (HostAndPort sentinel : uri.hosts()) {
            try {
                ask(sentinel);
                uri.hosts()
                        .forEach(
                                each -> listeners.add(new SentinelListener(each, this, SentinelListener.HEARD_MILLIS)));
                listeners.forEach(SentinelListener::start);
                return;
            } catch (JedisException failed) {
                reasons.append("; ").append(failed.getMessage());
                refused |= failed.getCause() instanceof JedisAccessControlException;
                last = failed;
            }
        }
        if (refused) {
            reasons.append(" Write the password of sentinels as ?sentinel=user:password before the #");
        }
        throw new JedisConnectionException("no sentinel names the master \"" + uri.master() + "\"" + reasons, last);
    }

    /**
     * A connection to a sentinel.
     *
     * @throws JedisException if there is none; it names the sentinel and the reason
     */
    Connection open(HostAndPort sentinel) {
        try {
            return new Connection(pools.sockets(pools.resolved(sentinel)), client);
        } catch (JedisDataException refused) {
            throw refusal(sentinel, refused);
        }
    }

    /**
     * Asks a sentinel for the master, and believes it unless another one knows a newer
     * configuration.
     *
     * @throws JedisException if it names none
     */
    void ask(HostAndPort sentinel) {
        try (Connection asked = open(sentinel)) {
            long epoch = epoch(asked); // first: an address that is older than its epoch would be believed
            asked.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", uri.master());
            if (!(asked.getOne() instanceof List<?> address)) {
                throw new JedisException("the sentinel at " + sentinel + " does not know it");
            }
            heard(sentinel, epoch, new HostAndPort(text(address.get(0)), Integer.parseInt(text(address.get(1)))));
        } catch (JedisDataException refused) {
            throw refusal(sentinel, refused);
        }
    }

    private void heard(HostAndPort sentinel, long epoch, HostAndPort named) {
        synchronized (epochs) {
            epochs.put(sentinel, epoch);
            if (epochs.values().stream().noneMatch(other -> other > epoch)) {
                master = named;
            }
        }
    }

    /** How often the master has changed, as the sentinel knows; 0 if it does not tell. */
    private long epoch(Connection asked) {
        asked.sendCommand(Protocol.Command.SENTINEL, "MASTER", uri.master());
        try {
            List<String> fields = ((List<?>) asked.getOne())
                    .stream().map(SentinelServers::text).toList();
            return Long.parseLong(fields.get(fields.indexOf("config-epoch") + 1));
        } catch (JedisDataException unknown) {
            return 0; // it does not know the master, or its user may not ask
        }
    }

    private static JedisException refusal(HostAndPort sentinel, JedisDataException refused) {
        return new JedisException("the sentinel at " + sentinel + " says " + refused.getMessage(), refused);
    }

    private static String text(Object word) {
        return new String((byte[]) word, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        closed = true;
        listeners.forEach(SentinelListener::close);
        pools.close();
    }
}
