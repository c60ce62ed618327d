package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.SocketFactory;

/**
 * A Redis 7.0.15 process on a free port of 127.0.0.1, which keeps nothing on disk.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.start()) {
 *     connect(redis.uri()); // redis://127.0.0.1:41234
 * }
 * }</pre>
 *
 * <p>It ends with {@link #close}, and also with this JVM, however that ends: a shell between the two reads from a pipe
 * whose other end only this JVM holds, so that even {@code kill -9} leaves neither a process nor a file behind.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int PORTS_TRIED = 5;

    /** The words that follow, "Address in use", differ with the C library that the server was built with. */
    private static final String CANNOT_LISTEN = "Could not create server TCP listening socket";

    /**
     * Ends the server when standard input ends or a signal comes. {@code wait}, unlike a command in the foreground, lets
     * a signal through. Of the shell's processes only the server keeps the output, so that its end is seen there.
     */
    private static final String WRAPPER = """
            exec 3<&0 </dev/null
            "$@" 3<&- & server=$!
            exec >/dev/null 2>&1
            cat <&3 3<&- & pipe=$!
            trap 'kill $pipe' TERM INT HUP
            wait $pipe
            kill $server
            wait $server
            [ -z "$0" ] || rm -rf "$0"
            """;

    private final Process shell;
    private final int port;

    private RedisServer(Process shell, int port) {
        this.shell = shell;
        this.port = port;
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param extraArguments of {@code redis-server}, such as {@code "--requirepass", "secret"}
     * @throws IllegalStateException if it does not start within 10 seconds, with what it wrote
     */
    public static RedisServer start(String... extraArguments) {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOn(freePort(), extraArguments);
            } catch (PortTakenException taken) {
                if (attempt == PORTS_TRIED) {
                    throw taken;
                }
            }
        }
    }

    /** The port it listens on, on 127.0.0.1. */
    public int port() {
        return port;
    }

    /** {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Ends the server and waits for its end; does nothing the second time. */
    @Override
    public void close() {
        stop(shell);
    }

    /** Between asking for a free port and taking it, somebody else may take it: see {@link PortTakenException}. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException("no free port: " + failed.getMessage(), failed);
        }
    }

    private static RedisServer startOn(int port, String... extraArguments) {
        Binary binary = Binary.unpack();
        Process shell = null;
        try {
            shell = launch(binary, port, extraArguments);
            awaitReady(ServerOutput.of(shell.getInputStream()), port);
            return new RedisServer(shell, port);
        } catch (RuntimeException failed) {
            if (shell != null) {
                stop(shell);
            }
            throw failed;
        } finally {
            binary.delete();
        }
    }

    private static Process launch(Binary binary, int port, String... extraArguments) {
        List<String> shell = List.of("sh", "-c", WRAPPER, binary.directory());
        List<String> server = List.of(
                binary.file().toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--save",
                "",
                "--appendonly",
                "no");
        List<String> command = Stream.of(shell, server, List.of(extraArguments))
                .flatMap(List::stream)
                .toList();
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException failed) {
            throw new UncheckedIOException("Redis could not be started: " + failed.getMessage(), failed);
        }
    }

    private static void awaitReady(ServerOutput output, int port) {
        try {
            if (!output.ready().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                String text = output.tail();
                throw text.contains(CANNOT_LISTEN)
                        ? new PortTakenException(port, text)
                        : new IllegalStateException("Redis ended while starting: " + text);
            }
            RedisPing.send(SocketFactory.getDefault(), "127.0.0.1", port, PATIENCE);
        } catch (TimeoutException | IOException silent) {
            throw new IllegalStateException(
                    "Redis does not answer on port " + port + " after " + PATIENCE.toSeconds() + " s: " + output.tail(),
                    silent);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Redis was starting", interrupted);
        }
    }

    private static void stop(Process shell) {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                shell.descendants().forEach(ProcessHandle::destroyForcibly);
            }
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        } catch (InterruptedException interrupted) {
            // Closing the pipe has already asked for the end; only the waiting is given up.
            Thread.currentThread().interrupt();
        }
    }

    /** The one failure that another attempt can cure. */
    private static final class PortTakenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        PortTakenException(int port, String output) {
            super("port " + port + " was taken by someone else: " + output);
        }
    }
}
