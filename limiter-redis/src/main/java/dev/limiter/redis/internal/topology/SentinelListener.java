package dev.limiter.redis.internal.topology;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Subscribes to one sentinel, and asks it for the master whenever it reports a change, on a
 * thread of its own until it is closed. A sentinel that is away is tried again twice a second: it
 * may be the one that reports the new master. A connection can end without a word at either end,
 * so it is opened anew when nothing was reported for {@value #HEARD_MILLIS} ms.
 */
final class SentinelListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    static final int HEARD_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 500;
    private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final HostAndPort sentinel;
    private final Sentinels sentinels;
    private final int heardMillis;
    private final Thread thread = DaemonThread.of("limiter-sentinel", this::listen);
    private long nextLineNanos = System.nanoTime();
    private volatile Connection connection;
    private volatile boolean closed;

    /**
     * @param heardMillis how long a subscription is kept on which nothing is reported
     */
    SentinelListener(HostAndPort sentinel, Sentinels sentinels, int heardMillis) {
        this.sentinel = sentinel;
        this.sentinels = sentinels;
        this.heardMillis = heardMillis;
    }

    void start() {
        thread.start();
    }

    /** Subscribes before it asks, so that no change falls between. */
    private void listen() {
        while (!closed) {
            try (Connection subscribed = sentinels.open(sentinel)) {
                connection = subscribed;
                subscribed.sendCommand(Protocol.Command.SUBSCRIBE, "+switch-master");
                subscribed.getOne();
                subscribed.setSoTimeout(heardMillis);
                do {
                    sentinels.ask(sentinel);
                } while (!closed && hears(subscribed));
            } catch (RuntimeException | Error lost) { // otherwise no later master would be heard
                pauseAfter(lost);
            }
        }
    }

    /** Whether the sentinel reports a change of one of its masters, in time. */
    private static boolean hears(Connection subscribed) {
        try {
            subscribed.getOne();
            return true;
        } catch (JedisConnectionException lost) {
            if (lost.getCause() instanceof SocketTimeoutException) {
                return false;
            }
            throw lost;
        }
    }

    private void pauseAfter(Throwable lost) {
        if (closed) {
            return;
        }
        long now = System.nanoTime();
        if (now - nextLineNanos >= 0) {
            nextLineNanos = now + BETWEEN_LINES_NANOS;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The sentinel at {0} cannot report a new master: {1}. It is tried again twice a second",
                    sentinel.toString(),
                    lost.getMessage());
        }
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException over) {
            // It is closed.
        }
    }

    /** Ends the thread, and waits for its end as long as opening a connection may take. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        long end = System.nanoTime() + 2 * NodePools.LOOK_NANOS;
        try {
            while (thread.isAlive() && System.nanoTime() - end < 0) {
                if (connection != null) {
                    Watch.cut(connection);
                }
                thread.join(1);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
