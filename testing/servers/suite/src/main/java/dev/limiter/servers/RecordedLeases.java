package dev.limiter.servers;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisMonitor;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Every lease that Redis writes while this is open, new or renewed. Redis itself reports each
 * write, so that a gap of a microsecond between two leases is seen; polling would miss it.
 */
final class RecordedLeases implements AutoCloseable {
    private static final Pattern WRITTEN = Pattern.compile(".* \"ZADD\" \"(rl:[^\"]+)\" \"(\\d+)\" .*");

    private final Map<String, List<Long>> expiries = new ConcurrentHashMap<>();
    private final Jedis monitored;
    private volatile boolean begun;

    /**
     * @param uri of a Redis, with a user that has permission for {@code MONITOR}
     */
    RecordedLeases(String uri) {
        monitored = new Jedis(uri);
        Thread thread = new Thread(this::record, "recorded-leases");
        thread.setDaemon(true);
        thread.start();
    }

    private void record() {
        try {
            monitored.monitor(new JedisMonitor() {
                @Override
                public void onCommand(String command) {
                    begun = true;
                    Matcher lease = WRITTEN.matcher(command);
                    if (lease.matches()) {
                        expiries.computeIfAbsent(lease.group(1), key -> new CopyOnWriteArrayList<>())
                                .add(Long.parseLong(lease.group(2)));
                    }
                }
            });
        } catch (JedisException closed) {
            // by close()
        }
    }

    /** Whether Redis has reported a command, whatever it was. */
    boolean hasBegun() {
        return begun;
    }

    /**
     * For each Redis key the instants at which its leases were to expire, µs since 1970, in the
     * order in which they were written.
     */
    Map<String, List<Long>> expiries() {
        return expiries;
    }

    @Override
    public void close() {
        monitored.close();
    }
}
