package dev.limiter.redis.internal.topology;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Looks up the addresses of host names. A look-up of the JVM has no time-out and cannot be
 * interrupted. So each name has a thread of its own while it is looked up, and the callers wait
 * for it with their own bounds. Callers of the same name share the look-up.
 */
public final class HostNames {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\d{1,3}\\.){3}\\d{1,3}|.*:.*");

    private final Map<String, FutureTask<InetAddress[]>> underWay = new ConcurrentHashMap<>();
    private final Lookup lookup;

    /** A name service. */
    @FunctionalInterface
    public interface Lookup {

        /** All addresses of a host, at least one. */
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    public HostNames(Lookup lookup) {
        this.lookup = lookup;
    }

    /**
     * The addresses of a host, at least one.
     *
     * @param host a name or an address
     * @throws UnknownHostException if it has none
     * @throws TimeoutException if they are not known in time; the look-up goes on
     */
    public InetAddress[] addresses(String host, long waitNanos)
            throws UnknownHostException, TimeoutException, InterruptedException {
        if (ADDRESS.matcher(host).matches()) {
            return lookup.addresses(host);
        }
        try {
            return underWay.computeIfAbsent(host, this::begin).get(waitNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private FutureTask<InetAddress[]> begin(String host) {
        FutureTask<InetAddress[]> task = new FutureTask<>(() -> lookup.addresses(host)) {
            @Override
            protected void done() {
                underWay.remove(host, this);
            }
        };
        DaemonThread.of("limiter-lookup", task).start();
        return task;
    }
}
