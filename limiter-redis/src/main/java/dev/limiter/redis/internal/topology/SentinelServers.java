package dev.limiter.redis.internal.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * The master that sentinels name. The sentinels report a new master by themselves. A sentinel that
 * was cut off names the master of before, until the others reach it. So the one whose configuration
 * is the newest is believed.
 */
public final class SentinelServers extends ServerTopology {
    private static final Pattern REFUSED = Pattern.compile("\\b(NOAUTH|NOPERM|WRONGPASS)\\b");
    private static final String HINT = " Write the password of sentinels as ?sentinel=user:password before the #";

    private final RedisUri uri;
    private final Sentinels sentinels;
    private final List<SentinelListener> listeners = new ArrayList<>();
    private final AtomicReference<HostAndPort> lastAsked = new AtomicReference<>();
    private boolean closed;

    /** @param pools also open connections to sentinels, with their time-outs and their TLS */
    public SentinelServers(RedisUri uri, NodePools pools) {
        super(pools);
        this.uri = uri;
        this.sentinels = new Sentinels(uri, pools);
    }

    @Override
    public HostAndPort of(int slot) {
        HostAndPort known = sentinels.master();
        return known == null ? uri.hosts().get(0) : known;
    }

    @Override
    public Connection connection(int slot) {
        HostAndPort before = lastAsked.get(); // read first: the master that is named afterwards is no older
        HostAndPort asked = sentinels.master();
        if (asked == null) {
            throw new JedisConnectionException("no sentinel has named the master \"" + uri.master() + "\" yet");
        }
        if (!asked.equals(before) && lastAsked.compareAndSet(before, asked)) {
            pools.keepOnly(asked::equals);
        }
        return pools.connection(asked);
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return of(0) + " is a node of a cluster, and sent us to " + other
                + "; sentinels are not for clusters: write redis-cluster:// in limiter.redis.uri";
    }

    /** Asks the first time only; later the sentinels report. */
    @Override
    public synchronized void refresh() {
        if (sentinels.master() != null || closed) {
            return;
        }
        try {
            pools.askOneOf(uri.hosts(), sentinels::ask);
        } catch (JedisConnectionException failed) {
            throw new JedisConnectionException(
                    "no sentinel names the master \"" + uri.master() + "\"; " + failed.getMessage()
                            + (REFUSED.matcher(failed.getMessage()).find() ? HINT : ""),
                    failed);
        }
        uri.hosts()
                .forEach(each -> listeners.add(new SentinelListener(each, sentinels, SentinelListener.HEARD_MILLIS)));
        listeners.forEach(SentinelListener::start);
    }

    @Override
    public synchronized void close() {
        closed = true;
        listeners.forEach(SentinelListener::close);
        super.close();
    }
}
