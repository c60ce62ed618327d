package dev.limiter.redis.internal.node;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import redis.clients.jedis.HostAndPort;

/**
 * Finds out what no request should have to wait for: who keeps what, and whether a server whose breaker is open is back. One thing after the
 * other, by a thread that exists only while there is something to find out.
 */
public final class NodeMonitor implements AutoCloseable {
    private static final long FIRST_LOOK_MILLIS = 100;
    private static final long PAUSE_MILLIS = 250;
    private static final long LONG_PAUSE_MILLIS = 1_000;
    private static final long IDLE_SECONDS = 2;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, NodeMonitor::daemon);
    private final Set<HostAndPort> watched = ConcurrentHashMap.newKeySet();
    private final Set<HostAndPort> doubted = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Runnable lookAgain;
    private final Consumer<HostAndPort> isBack;
    private final Consumer<HostAndPort> isAway;
    private volatile long nextLookNanos = System.nanoTime();

    /**
     * @param lookAgain finds out who keeps what
     * @param isBack asks a server, and throws if it is not well
     * @param isAway asks a server, and gives it up if it is not well
     */
    public NodeMonitor(Runnable lookAgain, Consumer<HostAndPort> isBack, Consumer<HostAndPort> isAway) {
        this.lookAgain = lookAgain;
        this.isBack = isBack;
        this.isAway = isAway;
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Soon finds out who keeps what; many who ask at once cause one look, and many in a row ten a second. */
    public void lookAgain() {
        if (looking.compareAndSet(false, true)) {
            long waitNanos = Math.max(0, nextLookNanos - System.nanoTime());
            later(
                    () -> {
                        nextLookNanos = System.nanoTime() + BETWEEN_LOOKS_NANOS;
                        looking.set(false);
                        quietly(lookAgain);
                    },
                    TimeUnit.NANOSECONDS.toMillis(waitNanos));
        }
    }

    /**
     * Asks a server until it is back.
     *
     * @param again whether it was back lately, and failed again: one that answers now and then is not to come and go all the time
     */
    void watch(HostAndPort server, boolean again) {
        if (watched.add(server)) {
            later(() -> ask(server), again ? LONG_PAUSE_MILLIS : FIRST_LOOK_MILLIS);
        }
    }

    /** Soon asks a server that is taken for well, once; many doubts at once are one. */
    void doubt(HostAndPort server) {
        if (doubted.add(server)) {
            later(
                    () -> {
                        doubted.remove(server);
                        quietly(() -> isAway.accept(server));
                    },
                    FIRST_LOOK_MILLIS);
        }
    }

    /** The monitor goes on after an {@link Error}, too: no other code would ever ask the server again. */
    private void ask(HostAndPort server) {
        watched.remove(server);
        boolean back = false;
        try {
            quietly(lookAgain);
            back = quietly(() -> isBack.accept(server));
        } finally {
            if (!back && watched.add(server)) {
                later(() -> ask(server), PAUSE_MILLIS);
            }
        }
    }

    /** What fails here is the failure that is looked at. */
    private static boolean quietly(Runnable look) {
        try {
            look.run();
            return true;
        } catch (RuntimeException failed) {
            return false;
        }
    }

    private void later(Runnable look, long millis) {
        try {
            thread.schedule(look, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The monitor is closed, so no caller needs the look any more.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(null, work, "limiter-monitor", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(NodeMonitor.class.getClassLoader());
        return thread;
    }
}
