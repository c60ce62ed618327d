package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One process of the Redis binary, in a temporary directory of its own.
 *
 * <p>It ends with {@link #stop}, and also with this JVM, however that ends: a shell between the
 * two reads from a pipe whose other end only this JVM holds, so that even {@code kill -9} leaves
 * neither a process nor a file behind.
 */
final class ServerProcess {

    /** For whatever a server has to do. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * The words that follow, "Address in use", differ with the C library that the server was built
     * with.
     */
    private static final String CANNOT_LISTEN = "Could not create server TCP listening socket";

    /**
     * Ends the server when standard input ends or a signal comes. {@code wait}, unlike a command
     * in the foreground, lets a signal through. Of the shell's processes only the server keeps the
     * output, so that its end is seen there. It is killed and not asked: it has nothing to save,
     * and one that is paused, runs an endless script, or waits for its replicas, would not end.
     */
    private static final String WRAPPER = """
            exec 3<&0 </dev/null
            "$@" 3<&- & server=$!
            exec >/dev/null 2>&1
            cat <&3 3<&- & pipe=$!
            trap 'kill $pipe' TERM INT HUP
            wait $pipe
            kill -9 $server
            wait $server
            cd / && rm -rf "$0"
            """;

    private final Process shell;
    private final ProcessHandle server;

    private ServerProcess(Process shell, ProcessHandle server) {
        this.shell = shell;
        this.server = server;
    }

    /**
     * Starts a server and waits until it says that it is ready.
     *
     * @param port that the arguments name, for the error message
     * @param files names and texts of what it finds in its working directory
     * @throws PortTakenException if another process listens on the port
     * @throws IllegalStateException if it is not ready within a minute, with what it wrote
     */
    static ServerProcess start(int port, Map<String, String> files, List<String> arguments) {
        Path directory = null;
        Process shell = null;
        try {
            directory = Files.createTempDirectory("redis");
            for (Map.Entry<String, String> file : files.entrySet()) {
                Files.writeString(directory.resolve(file.getKey()), file.getValue());
            }
            List<String> command = Stream.concat(Stream.of(Binary.file().toString()), arguments.stream())
                    .toList();
            shell = launch(directory, command);
            return new ServerProcess(shell, awaitReady(ServerOutput.of(shell.getInputStream()), port));
        } catch (IOException | RuntimeException failed) {
            if (shell != null) {
                stop(shell);
            } else if (directory != null) {
                TemporaryDirectory.delete(directory);
            }
            throw failed instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException(
                            "Redis could not be started: " + failed.getMessage(), (IOException) failed);
        }
    }

    /** A program that ends, and whose directory vanishes, with this JVM or by {@link #stop}. */
    static Process launch(Path directory, List<String> command) throws IOException {
        List<String> shell = List.of("sh", "-c", WRAPPER, directory.toString());
        return new ProcessBuilder(
                        Stream.concat(shell.stream(), command.stream()).toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static ProcessHandle awaitReady(ServerOutput output, int port) {
        try {
            OptionalLong pid = output.ready().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return ProcessHandle.of(pid.orElseThrow(() -> ended(output.tail(), port)))
                    .orElseThrow(() -> ended(output.tail(), port));
        } catch (TimeoutException silent) {
            throw new IllegalStateException(
                    "Redis is not ready on port " + port + " after " + PATIENCE.toSeconds() + " s: " + output.tail(),
                    silent);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Redis was starting", interrupted);
        }
    }

    private static IllegalStateException ended(String text, int port) {
        return text.contains(CANNOT_LISTEN)
                ? new PortTakenException(port, text)
                : new IllegalStateException("Redis ended while starting: " + text);
    }

    /** The server process itself, not its shell. */
    ProcessHandle server() {
        return server;
    }

    /**
     * Sends a signal that the JDK has no method for.
     *
     * @param name such as {@code STOP}
     * @throws IllegalStateException if the server has ended
     */
    void signal(String name) {
        try {
            int status = server.isAlive()
                    ? new ProcessBuilder("sh", "-c", "kill -" + name + " " + server.pid())
                            .start()
                            .waitFor()
                    : -1;
            if (status != 0) {
                throw new IllegalStateException("no process " + server.pid() + " to send " + name);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending " + name, interrupted);
        }
    }

    /** Kills the server and waits for its end; does nothing the second time. */
    void stop() {
        stop(shell);
    }

    static void stop(Process shell) {
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
}
