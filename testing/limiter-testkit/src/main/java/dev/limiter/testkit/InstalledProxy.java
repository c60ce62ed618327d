package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A proxy that Debian has, as users have it before their Redis, on a free port of 127.0.0.1. It
 * ends with {@link #close}, and also with this JVM.
 *
 * @param port it listens on
 */
public record InstalledProxy(int port, Process process) implements AutoCloseable {
    private static final String HAPROXY = """
            defaults
                mode tcp
                timeout connect 10s
                timeout client %1$dms
                timeout server %1$dms
            listen redis
                bind 127.0.0.1:%2$d
                server redis 127.0.0.1:%3$d
            """;

    private static final String TWEMPROXY = """
            redis:
              listen: 127.0.0.1:%d
              redis: true
              distribution: ketama
              servers:
            """;

    /** Whether a program is there. */
    public static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * HAProxy.
     *
     * @param idle after which it closes a connection, on both sides
     */
    public static InstalledProxy haproxy(Duration idle, RedisServer server) {
        return FreePort.take(port -> start(
                port,
                HAPROXY.formatted(idle.toMillis(), port, server.port()),
                "haproxy",
                "-db",
                "-f",
                "configuration"));
    }

    /** Twemproxy, which sends each call to the server of its first key. */
    public static InstalledProxy twemproxy(RedisServer... servers) {
        String list = Stream.of(servers)
                .map(server -> "   - 127.0.0.1:" + server.port() + ":1\n")
                .collect(Collectors.joining());
        return FreePort.take(port -> start(
                port,
                TWEMPROXY.formatted(port) + list,
                "nutcracker",
                "--conf-file=configuration",
                "--stats-port=" + (port + 10_000)));
    }

    private static InstalledProxy start(int port, String configuration, String... command) {
        try {
            Path directory = Files.createTempDirectory("proxy");
            Files.writeString(directory.resolve("configuration"), configuration);
            Process process = ServerProcess.launch(directory, List.of(command));
            ServerOutput output = ServerOutput.of(process.getInputStream());
            try {
                Eventually.await(command[0] + " listens", ServerProcess.PATIENCE, () -> listens(port));
            } catch (IllegalStateException silent) {
                ServerProcess.stop(process);
                throw new IllegalStateException(output.tail(), silent);
            }
            return new InstalledProxy(port, process);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean listens(int port) {
        try {
            new Socket("127.0.0.1", port).close();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** {@code redis://127.0.0.1:port}. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        ServerProcess.stop(process);
    }
}
