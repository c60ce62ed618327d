package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/**
 * Subscribes to one sentinel and tells the masters that it names, on a thread of its own until
 * it is closed. A sentinel that is away is tried again twice a second: it may be the one that
 * reports the new master.
 */
final class SentinelListener implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final long PAUSE_MILLIS = 500;
    private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The name of the master stands before its old address and its new one. */
    private static final int WORDS = 5;

    private final HostAndPort sentinel;
    private final SentinelServers servers;
    private final Consumer<HostAndPort> named;
    private final Thread thread = new Thread(null, this::listen, "limiter-sentinel", 0, false);
    private long nextLineNanos = System.nanoTime();
    private volatile Connection connection;
    private volatile boolean closed;

    /**
     * @param servers open connections to sentinels and ask them
     * @param named is told each master
     */
    SentinelListener(HostAndPort sentinel, SentinelServers servers, Consumer<HostAndPort> named) {
        this.sentinel = sentinel;
        this.servers = servers;
        this.named = named;
        thread.setDaemon(true);
        thread.setContextClassLoader(SentinelListener.class.getClassLoader());
    }

    void start() {
        thread.start();
    }

    private void listen() {
        while (!closed) {
            try (Connection subscribed = servers.open(sentinel)) {
                connection = subscribed;
                named.accept(servers.ask(sentinel, subscribed));
                subscribed.sendCommand(Protocol.Command.SUBSCRIBE, "+switch-master");
                subscribed.setTimeoutInfinite();
                while (!closed) {
                    hear((List<?>) subscribed.getOne());
                }
            } catch (RuntimeException lost) {
                pauseAfter(lost);
            }
        }
    }

    /** Hears {@code message}, the channel, and what is told. */
    private void hear(List<?> message) {
        if (message.get(2) instanceof byte[] told) {
            String[] words = new String(told, StandardCharsets.UTF_8).split(" ");
            if (words.length == WORDS && words[0].equals(servers.masterName())) {
                named.accept(new HostAndPort(words[3], Integer.parseInt(words[4])));
            }
        }
    }

    private void pauseAfter(RuntimeException lost) {
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
        long end = System.nanoTime() + 2 * ServerTopology.LOOK_NANOS;
        try {
            while (thread.isAlive() && System.nanoTime() - end < 0) {
                disconnect(connection);
                thread.join(1);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void disconnect(Connection known) {
        try {
            if (known != null) {
                known.forceDisconnect();
            }
        } catch (IOException | RuntimeException closing) {
            // It is closed all the same.
        }
    }
}
