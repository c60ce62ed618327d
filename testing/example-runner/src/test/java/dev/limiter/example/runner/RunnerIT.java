package dev.limiter.example.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class RunnerIT {

    private static final String ANY_PORT = "-Dport=0";

    /**
     * The application's JVM; the shell that removes the executable of Redis; the shell that watches
     * over Redis; Redis; the reader of the pipe.
     */
    private static final int PROCESSES = 5;

    private static RedisServer redis;

    @TempDir
    Path directory;

    /**
     * Before the tests, which run beside each other: a file that is written while a process forks
     * cannot be run.
     */
    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start("--requirepass", "secret");
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Test
    void answersAndEndsCompletelyOnTerm() throws Exception {
        try (RunningExample example = RunningExample.start(directory, ANY_PORT)) {
            assertThat(example.get("api/health")).isEqualTo(200);
            assertThat(example.get("")).isEqualTo(200);
            List<ProcessHandle> started = example.processes();
            assertThat(started).hasSize(PROCESSES);

            example.process().destroy();

            assertThat(example.exitCode()).isEqualTo(128 + 15);
            awaitEnd(started);
            assertThat(example.errors()).noneMatch(line -> line.matches(".*(WARN|SEVERE|Exception).*"));
        }
    }

    @Test
    void killedExampleLeavesNoRedis() throws Exception {
        try (RunningExample example = RunningExample.start(directory, ANY_PORT)) {
            example.address();
            List<ProcessHandle> started = example.processes();
            assertThat(started).hasSize(PROCESSES);

            example.process().destroyForcibly();

            awaitEnd(started);
        }
    }

    @Test
    void exampleUsesTheRedisItIsGivenAndEndsWithItsKilledParent() throws Exception {
        try (RunningExample example = RunningExample.startByShell(
                directory, ANY_PORT, "-Dlimiter.redis.uri=redis://default:secret@127.0.0.1:" + redis.port() + "/0")) {
            assertThat(example.get("api/health")).isEqualTo(200);
            List<ProcessHandle> started = example.processes();
            assertThat(started).as("the shell and the application").hasSize(2);

            example.process().destroyForcibly();

            awaitEnd(started);
        }
    }

    /** As whatever keeps the example from starting. */
    @Test
    void unreachableRedisIsToldInOneLineWithoutItsPassword() throws Exception {
        int port = freePort();
        try (RunningExample example = RunningExample.start(
                directory, ANY_PORT, "-Dlimiter.redis.uri=redis://zoo:secret@127.0.0.1:" + port + "/1")) {
            assertThat(example.exitCode()).isEqualTo(1);
            assertThat(example.errors())
                    .singleElement()
                    .asString()
                    .contains("no Redis answers at 127.0.0.1:" + port)
                    .doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::1"})
    void busyPortIsTold(String address) throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            assertThatThrownBy(() -> WebServer.on(other.getLocalPort()))
                    .isInstanceOf(CannotStartException.class)
                    .hasMessageContaining("port " + other.getLocalPort() + " is in use");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "-1", "eighty"})
    void impossiblePortIsTold(String port) {
        Properties settings = new Properties();
        settings.setProperty(Options.PORT, port);
        assertThatThrownBy(() -> Options.read(new String[] {System.getProperty("example.war")}, settings))
                .isInstanceOf(CannotStartException.class)
                .hasMessage("port must be a whole number from 0 to 65535, was \"" + port + "\"");
    }

    private static void awaitEnd(List<ProcessHandle> processes) {
        await().atMost(RunningExample.PATIENCE)
                .untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
