package dev.limiter.redis.internal.node;

import dev.limiter.redis.internal.topology.DaemonThread;
import dev.limiter.redis.internal.topology.ServerTopology;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import redis.clients.jedis.HostAndPort;

/**
 * Finds out what no request should wait for: the owners of slots, and whether a server whose
 * breaker is open is back. It does so one after the other, on a thread that exists only while
 * there is something to find out.
 */
public final class NodeMonitor implements AutoCloseable {
    private static final long FIRST_LOOK_MILLIS = 100;
    private static final long PAUSE_MILLIS = 250;
    private static final long LONG_PAUSE_MILLIS = 1_000;
    private static final long IDLE_SECONDS = 2;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ScheduledThreadPoolExecutor thread;
    private final Set<HostAndPort> watched = ConcurrentHashMap.newKeySet();
    private final Set<HostAndPort> doubted = ConcurrentHashMap.newKeySet();
    private final Set<ServerTopology> looking = ConcurrentHashMap.newKeySet();
    private final ServerTopology servers;
    private volatile long nextLookNanos = System.nanoTime();

    public NodeMonitor(ServerTopology servers) {
        this(servers, new ScheduledThreadPoolExecutor(1, work -> DaemonThread.of("limiter-monitor", work)));
    }

    /** @param thread on which the monitor asks; it ends with the monitor */
    NodeMonitor(ServerTopology servers, ScheduledThreadPoolExecutor thread) {
        this.servers = servers;
        this.thread = thread;
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    /**
     * Refreshes the topology soon. Many requests for it at once cause one refresh, and many in a
     * row ten a second.
     */
    public void refresh() {
        once(looking, servers, () -> quietly(servers::refresh), this::untilRefreshMillis);
    }

    /** When the next refresh may be; the one after it comes later. */
    private long untilRefreshMillis() {
        long now = System.nanoTime();
        long waitNanos = Math.max(0, nextLookNanos - now);
        nextLookNanos = now + waitNanos + BETWEEN_LOOKS_NANOS;
        return TimeUnit.NANOSECONDS.toMillis(waitNanos);
    }

    /**
     * Asks a server until it is back.
     *
     * @param closeIfBack asks it, and throws if it does not decide
     * @param again whether it was back lately and failed again; it is then asked less often, so
     *     that it does not come and go all the time
     */
    void watch(HostAndPort server, boolean again, Runnable closeIfBack) {
        once(watched, server, () -> ask(server, closeIfBack), () -> again ? LONG_PAUSE_MILLIS : FIRST_LOOK_MILLIS);
    }

    /**
     * Asks a server in doubt soon, once; many doubts at once cause one probe.
     *
     * @param openIfSilent asks it, and gives it up if it does not decide
     */
    void doubt(HostAndPort server, Runnable openIfSilent) {
        once(doubted, server, () -> quietly(openIfSilent), () -> FIRST_LOOK_MILLIS);
    }

    /**
     * Asks a server. The monitor goes on after an {@link Error}, too: no other code would ever
     * ask the server again.
     */
    private void ask(HostAndPort server, Runnable closeIfBack) {
        boolean back = false;
        try {
            quietly(servers::refresh);
            back = quietly(closeIfBack);
        } finally {
            if (!back) {
                askAgain(server, closeIfBack);
            }
        }
    }

    private void askAgain(HostAndPort server, Runnable closeIfBack) {
        while (!thread.isShutdown()) {
            try {
                once(watched, server, () -> ask(server, closeIfBack), () -> PAUSE_MILLIS);
                return;
            } catch (OutOfMemoryError full) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            }
        }
    }

    /** Runs a probe; a failure is its result. */
    private static boolean quietly(Runnable look) {
        try {
            look.run();
            return true;
        } catch (RuntimeException failed) {
            return false;
        }
    }

    /** Looks later, unless a look is to come. */
    private <T> void once(Set<T> toCome, T what, Runnable look, LongSupplier millis) {
        if (toCome.add(what)) {
            try {
                later(
                        () -> {
                            toCome.remove(what);
                            look.run();
                        },
                        millis.getAsLong());
            } catch (Error failed) {
                toCome.remove(what);
                throw failed;
            }
        }
    }

    /** One after the other: without a thread, only this look is in the queue. */
    private synchronized void later(Runnable look, long millis) {
        try {
            thread.schedule(look, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The monitor is closed, so no caller needs the result any more.
        } catch (Error noThread) {
            if (thread.getPoolSize() == 0) {
                thread.getQueue().clear(); // it keeps what it has no thread for
            }
            throw noThread;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
