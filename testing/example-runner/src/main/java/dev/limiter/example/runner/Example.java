package dev.limiter.example.runner;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The running example: the port first, so that nothing is started in vain, then Redis, then the
 * application.
 */
final class Example implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    private final Deque<Runnable> endings = new ArrayDeque<>();
    private boolean closed;

    /**
     * @return the address at which it answers
     * @throws CannotStartException if it does not; what was started until then still needs
     *     {@link #close}
     */
    String start(Options options) {
        WebServer web = WebServer.on(options.port());
        endWith(web::close);
        Redis redis = options.redisUri().map(Redis::at).orElseGet(Redis::start);
        endWith(redis::close);
        System.setProperty(Options.REDIS_URI, redis.uri());
        web.deploy(options.war());
        requireHealthy(web.address() + "api/health");
        return web.address();
    }

    /** Ends what was started, last first; what is started from now on ends at once. */
    @Override
    public void close() {
        Deque<Runnable> due;
        synchronized (endings) {
            closed = true;
            due = new ArrayDeque<>(endings);
            endings.clear();
        }
        due.forEach(Runnable::run);
    }

    private void endWith(Runnable ending) {
        synchronized (endings) {
            if (!closed) {
                endings.push(ending);
                return;
            }
        }
        ending.run();
        throw new CannotStartException("stopped while starting");
    }

    private static void requireHealthy(String address) {
        try {
            HttpURLConnection health =
                    (HttpURLConnection) URI.create(address).toURL().openConnection();
            health.setConnectTimeout(PATIENCE_MILLIS);
            health.setReadTimeout(PATIENCE_MILLIS);
            if (health.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new CannotStartException(address + " answers " + health.getResponseCode());
            }
        } catch (IOException silent) {
            throw new CannotStartException(address + " does not answer", silent);
        }
    }
}
