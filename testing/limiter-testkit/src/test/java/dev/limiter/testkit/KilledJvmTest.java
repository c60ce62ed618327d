package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is killed cannot tidy up; its Redis has to notice. */
class KilledJvmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void killedJvmLeavesNoProcessAndNoFile(@TempDir Path files) throws IOException {
        Process jvm = new ProcessBuilder(ChildJvm.command(
                        "-Djava.io.tmpdir=" + files,
                        "-Dtestkit.redis-server=" + System.getProperty("testkit.redis-server", ""),
                        Victim.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = jvm.inputReader()) {
            assertThat(output.readLine()).isEqualTo("started");
            List<ProcessHandle> started = jvm.descendants().toList();
            assertThat(started)
                    .as("three for each server, and one for its certificate")
                    .hasSizeGreaterThanOrEqualTo(10);

            jvm.destroyForcibly();

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
            assertThat(list(files)).isEmpty();
        } finally {
            jvm.destroyForcibly();
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /**
     * Starts a server, one with TLS, and a paused replica, and waits to be killed, or for its test
     * to end.
     */
    static final class Victim {
        public static void main(String[] args) throws IOException {
            try (RedisServer running = RedisServer.start();
                    RedisServer secured = RedisServer.startWithTls();
                    RedisServer paused =
                            RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(running.port()))) {
                Eventually.await(
                        "the replica has written what it received",
                        PATIENCE,
                        () -> paused.command("INFO", "replication").toString().contains("master_link_status:up"));
                paused.pause();
                secured.command("PING");
                System.out.println("started");
                new InputStreamReader(System.in).read();
            }
        }
    }
}
