package dev.limiter.example;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A partner with a limit of its own: so many in any second, 429 with Retry-After for all others.
 */
final class LimitedPartner implements AutoCloseable {
    /** The instant at which a call started, in ns. */
    static final String STARTED = "Started";

    /** The instant at which it was refused, in ns. */
    static final String REFUSED = "Refused";

    private static final long SECOND = 1_000_000_000;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final Deque<Long> lastSecond = new ArrayDeque<>();
    private final List<Long> accepted = new ArrayList<>();
    private final List<Long> refused = new ArrayList<>();
    private final LongAccumulator delay = new LongAccumulator(Math::max, 0);
    private final long retryAfterSeconds;
    private long limit;

    LimitedPartner(long limit, long retryAfterSeconds) throws IOException {
        this.limit = limit;
        this.retryAfterSeconds = retryAfterSeconds;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            long now = System.nanoTime();
            delay.accumulate(now - Long.parseLong(exchange.getRequestHeaders().getFirst(STARTED)));
            boolean takes = takes(now);
            if (!takes) {
                exchange.getResponseHeaders().add("Retry-After", Long.toString(retryAfterSeconds));
                exchange.getResponseHeaders().add(REFUSED, Long.toString(now));
            }
            exchange.sendResponseHeaders(takes ? 204 : 429, -1);
            exchange.close();
        });
        server.start();
    }

    private synchronized boolean takes(long now) {
        while (!lastSecond.isEmpty() && now - lastSecond.peekFirst() >= SECOND) {
            lastSecond.removeFirst();
        }
        boolean takes = lastSecond.size() < limit;
        if (takes) {
            lastSecond.addLast(now);
        }
        (takes ? accepted : refused).add(now);
        return takes;
    }

    /** Sets the number of calls that it takes in any second. */
    synchronized void accepts(long other) {
        limit = other;
    }

    synchronized long acceptedSince(long nanos) {
        return accepted.stream().filter(at -> at - nanos >= 0).count();
    }

    /** The instants of its 429 responses. */
    synchronized List<Long> refusedSince(long nanos) {
        return refused.stream().filter(at -> at - nanos >= 0).toList();
    }

    /** The longest delay of a call since the last call of this method, in ns. */
    long longestDelay() {
        return delay.getThenReset();
    }

    long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    URI uri() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/parcels");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
