package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.SocketFactory;

/**
 * A process of Redis, or of a server that speaks as it does, on a free port of 127.0.0.1. It keeps
 * nothing on disk.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.start()) {
 *     connect(redis.uri());                          // redis://127.0.0.1:14234
 *     redis.command("CONFIG", "SET", "maxmemory", "2mb");
 *     redis.pause();                                 // accepts connections, answers nothing
 *     redis.resume();
 *     redis.kill();                                  // refuses connections
 *     redis.restart();                               // the same port, no keys, no scripts
 * }
 * }</pre>
 *
 * <p>It ends with {@link #close}, and also with this JVM, however that ends.
 *
 * <p>The server is Redis 7.0.15, which the testkit brings.
 * {@code -Dtestkit.redis-server=/path} names the executable of another server; nodes of a
 * cluster and sentinels are started from it, too.
 */
public final class RedisServer implements AutoCloseable {

    private static final String PASSWORD_ARGUMENT = "--requirepass";

    private final int port;
    private final List<String> extraArguments;
    private final Optional<SelfSigned> tls;
    private final SocketFactory sockets;
    private ServerProcess process;

    private RedisServer(int port, Optional<SelfSigned> tls, String... extraArguments) {
        this.port = port;
        this.extraArguments = List.of(extraArguments);
        this.tls = tls;
        this.sockets = tls.map(SelfSigned::sockets).orElseGet(SocketFactory::getDefault);
        this.process = startProcess();
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param extraArguments of {@code redis-server}, such as {@code "--requirepass", "secret"}
     * @throws IllegalStateException if it does not start within a minute, with what it wrote
     */
    public static RedisServer start(String... extraArguments) {
        return FreePort.take(port -> new RedisServer(port, Optional.empty(), extraArguments));
    }

    /**
     * Starts a server that speaks TLS only, with a certificate for {@code localhost} and 127.0.0.1
     * that {@link #trustStore} makes one trust; clients need none. Otherwise as {@link #start}.
     */
    public static RedisServer startWithTls(String... extraArguments) {
        return start(SelfSigned.create(), extraArguments);
    }

    /**
     * As {@link #startWithTls}, but with a certificate for another host, so that no client that
     * verifies names speaks to it.
     *
     * @param host such as {@code redis.example}
     */
    public static RedisServer startWithTlsFor(String host, String... extraArguments) {
        return start(SelfSigned.createFor(host), extraArguments);
    }

    private static RedisServer start(SelfSigned tls, String... extraArguments) {
        try {
            return FreePort.take(port -> new RedisServer(port, Optional.of(tls), extraArguments));
        } catch (RuntimeException failed) {
            tls.close();
            throw failed;
        }
    }

    /** The port it listens on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** {@code redis://127.0.0.1:port}, with TLS {@code rediss://127.0.0.1:port}. */
    public String uri() {
        return (tls.isPresent() ? "rediss" : "redis") + "://127.0.0.1:" + port;
    }

    /**
     * A PKCS 12 file with the certificate of this server, which is there until {@link #close}; its
     * password is {@link #trustStorePassword}.
     *
     * @throws IllegalStateException if this server speaks no TLS
     */
    public Path trustStore() {
        return tls.map(SelfSigned::trustStore)
                .orElseThrow(() -> new IllegalStateException("started without TLS: " + uri()));
    }

    /**
     * A PKCS 12 file with the certificate of this server and its key; the rest as of
     * {@link #trustStore}. A client that shows it is accepted after
     * {@code CONFIG SET tls-auth-clients yes}.
     */
    public Path keyStore() {
        return tls.map(SelfSigned::keyStore)
                .orElseThrow(() -> new IllegalStateException("started without TLS: " + uri()));
    }

    /**
     * The certificate in PEM, such as for {@code CONFIG SET tls-ca-cert-file} of another server.
     *
     * @throws IllegalStateException if this server speaks no TLS
     */
    public Path certificate() {
        return tls.map(SelfSigned::certificate)
                .orElseThrow(() -> new IllegalStateException("started without TLS: " + uri()));
    }

    /** The password of {@link #trustStore} and {@link #keyStore}. */
    public String trustStorePassword() {
        return SelfSigned.PASSWORD;
    }

    /**
     * Sends one command over a connection of its own, with the password of {@code --requirepass},
     * if there is one.
     *
     * @return text and numbers as {@code String}, lists as {@code List}, nil as {@code null}
     * @throws RedisErrorException if the reply is an error
     * @throws UncheckedIOException if nothing listens, or no reply comes within a minute
     */
    public Object command(String... words) {
        try (RespConnection connection = connect()) {
            return connection.call(words);
        }
    }

    /**
     * A connection as {@link #command} uses it, for commands that belong together, such as
     * {@code MULTI}.
     */
    public RespConnection connect() {
        RespConnection connection = RespConnection.open(sockets, port, ServerProcess.PATIENCE);
        int option = extraArguments.indexOf(PASSWORD_ARGUMENT);
        if (option < 0) {
            return connection;
        }
        try {
            connection.call("AUTH", extraArguments.get(option + 1));
            return connection;
        } catch (RuntimeException refused) {
            connection.close();
            throw refused;
        }
    }

    /**
     * Stops the process with SIGSTOP: the kernel goes on to accept connections and requests, which
     * are answered after {@link #resume}.
     *
     * @throws IllegalStateException if it has ended
     */
    public synchronized void pause() {
        process.signal("STOP");
    }

    /**
     * Lets a paused server go on, and does nothing to one that is not.
     *
     * @throws IllegalStateException if it has ended
     */
    public synchronized void resume() {
        process.signal("CONT");
    }

    /** Whether the process is there; a paused one is. */
    public synchronized boolean isRunning() {
        return process.server().isAlive();
    }

    /**
     * Ends the server as by {@code kill -9} and waits for its end; does nothing if it has ended.
     */
    public synchronized void kill() {
        process.stop();
    }

    /**
     * Kills the server, if it still runs, and starts an empty one on the same port, with the same
     * arguments.
     *
     * @throws IllegalStateException if it does not start within a minute, for instance because
     *     another process has taken the port
     */
    public synchronized void restart() {
        kill();
        Eventually.await("port " + port + " is free again", ServerProcess.PATIENCE, this::startsAgain);
    }

    /** Ends the server and waits for its end; does nothing the second time. */
    @Override
    public void close() {
        kill();
        tls.ifPresent(SelfSigned::close);
    }

    private boolean startsAgain() {
        try {
            process = startProcess();
            return true;
        } catch (PortTakenException stillTaken) {
            return false;
        }
    }

    private ServerProcess startProcess() {
        ServerProcess started = ServerProcess.start(port, Map.of(), arguments());
        try {
            RedisPing.send(sockets, "127.0.0.1", port, ServerProcess.PATIENCE);
            return started;
        } catch (IOException silent) {
            started.stop();
            throw new IllegalStateException("Redis does not answer on port " + port, silent);
        }
    }

    private List<String> arguments() {
        Stream<String> own = Stream.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no");
        // A replica is served at once, instead of after 5 s in which another one might come.
        Stream<String> replication = Stream.of("--repl-diskless-sync-delay", "0");
        return Stream.of(own, replication, listening(), extraArguments.stream())
                .flatMap(words -> words)
                .toList();
    }

    private Stream<String> listening() {
        String own = Integer.toString(port);
        return tls.map(files -> Stream.of(
                        "--port",
                        "0",
                        "--tls-port",
                        own,
                        "--tls-cert-file",
                        files.certificate().toString(),
                        "--tls-key-file",
                        files.key().toString(),
                        "--tls-ca-cert-file",
                        files.certificate().toString(),
                        "--tls-auth-clients",
                        "no"))
                .orElseGet(() -> Stream.of("--port", own));
    }
}
