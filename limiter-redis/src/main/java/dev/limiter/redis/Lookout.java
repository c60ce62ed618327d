package dev.limiter.redis;

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
final class Lookout implements AutoCloseable {
    private static final long FIRST_LOOK_MILLIS = 100;
    private static final long PAUSE_MILLIS = 250;
    private static final long IDLE_SECONDS = 2;

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Lookout::daemon);
    private final Set<HostAndPort> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final Runnable lookAgain;
    private final Consumer<HostAndPort> isBack;

    /**
     * @param lookAgain finds out who keeps what
     * @param isBack asks a server, and throws if it is not well
     */
    Lookout(Runnable lookAgain, Consumer<HostAndPort> isBack) {
        this.lookAgain = lookAgain;
        this.isBack = isBack;
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Soon finds out who keeps what; many who ask at once cause one look. */
    void lookAgain() {
        if (looking.compareAndSet(false, true)) {
            later(
                    () -> {
                        looking.set(false);
                        quietly(lookAgain);
                    },
                    0);
        }
    }

    /** Asks a server until it is back. */
    void watch(HostAndPort server) {
        if (watched.add(server)) {
            later(() -> ask(server), FIRST_LOOK_MILLIS);
        }
    }

    private void ask(HostAndPort server) {
        watched.remove(server);
        quietly(lookAgain);
        if (!quietly(() -> isBack.accept(server)) && watched.add(server)) {
            later(() -> ask(server), PAUSE_MILLIS);
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
            // Nobody needs to know any more.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "limiter-lookout");
        thread.setDaemon(true);
        thread.setContextClassLoader(Lookout.class.getClassLoader());
        return thread;
    }
}
