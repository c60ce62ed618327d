package dev.limiter.example.runner;

import dev.limiter.testkit.RedisPing;
import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * The Redis that holds the limits: one of our own, or one that is there already.
 *
 * @param uri where it is
 * @param started whose end comes with {@link #close}; empty if another process started it
 */
record Redis(String uri, Optional<RedisServer> started) implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int DEFAULT_PORT = 6379;

    static Redis start() {
        try {
            RedisServer server = RedisServer.start("--appendonly", "yes"); // as queues need it
            return new Redis(server.uri(), Optional.of(server));
        } catch (RuntimeException failed) {
            throw new CannotStartException("no Redis could be started", failed);
        }
    }

    /**
     * A Redis that is there already. That it answers is enough: an error, such as a missing
     * password, is for the application to report.
     *
     * @throws CannotStartException if nothing answers, without repeating a password of the URI
     */
    static Redis at(String text) {
        URI uri = parse(text);
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        try {
            RedisPing.send(sockets(uri), uri.getHost(), port, PATIENCE);
            return new Redis(text, Optional.empty());
        } catch (IOException unreachable) {
            throw new CannotStartException(
                    "no Redis answers at " + uri.getHost() + ":" + port + " (" + Options.REDIS_URI + ")", unreachable);
        }
    }

    @Override
    public void close() {
        started.ifPresent(RedisServer::close);
    }

    private static URI parse(String text) {
        try {
            URI uri = new URI(text);
            if (uri.getHost() != null && ("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException unreadable) {
            // told below, without the text: it may contain a password
        }
        throw new CannotStartException(Options.REDIS_URI + " must be redis://host:port or rediss://host:port");
    }

    private static SocketFactory sockets(URI uri) {
        return "rediss".equals(uri.getScheme()) ? SSLSocketFactory.getDefault() : SocketFactory.getDefault();
    }
}
