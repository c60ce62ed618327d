package dev.limiter.redis.internal.topology;

/** Threads that end with the JVM, and keep nothing of the caller that starts them. */
public final class DaemonThread {
    private DaemonThread() {}

    public static Thread of(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(DaemonThread.class.getClassLoader());
        return thread;
    }
}
