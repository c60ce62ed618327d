package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    @Test
    void answersOnceStarted() throws IOException {
        try (RedisServer redis = RedisServer.start()) {
            assertThat(ping(redis)).isEqualTo("+PONG");
            assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
        }
    }

    /** Without the one that removes the executable when this JVM ends. */
    private static List<ProcessHandle> startedSince(List<ProcessHandle> before) {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> !before.contains(process))
                .toList();
    }

    private static List<ProcessHandle> before() {
        Binary.file();
        return startedSince(List.of());
    }

    @Test
    void closingEndsEveryProcess() {
        List<ProcessHandle> before = before();
        RedisServer redis = RedisServer.start();
        List<ProcessHandle> started = startedSince(before);
        assertThat(started).hasSize(3);

        redis.close();
        assertThat(started).noneMatch(ProcessHandle::isAlive);
        assertThatThrownBy(() -> ping(redis)).isInstanceOf(IOException.class);

        redis.close();
    }

    @Test
    void twoServersRunSideBySide() throws IOException {
        try (RedisServer one = RedisServer.start()) {
            try (RedisServer other = RedisServer.start()) {
                assertThat(other.port()).isNotEqualTo(one.port());
                assertThat(ping(other)).isEqualTo("+PONG");
            }
            assertThat(ping(one)).isEqualTo("+PONG");
        }
    }

    @Test
    void extraArgumentsReachTheServer() throws IOException {
        try (RedisServer redis = RedisServer.start("--requirepass", "secret")) {
            assertThat(ping(redis)).startsWith("-NOAUTH");
        }
    }

    @Test
    void wrongArgumentIsToldInTheServersWords() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-setting", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void aPortOfAnotherProcessIsNeverTakenForOurs() throws IOException {
        try (RedisServer other = RedisServer.start()) {
            assertThatThrownBy(() -> RedisServer.start("--port", Integer.toString(other.port())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was taken by another process");
            assertThat(ping(other)).isEqualTo("+PONG");
        }
    }

    @Test
    void pingRefusesWhatIsNoRedis() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThatThrownBy(() -> RedisPing.send(
                            SocketFactory.getDefault(), "127.0.0.1", mute.getLocalPort(), Duration.ofMillis(200)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void commandsNeedNoClientLibrary() {
        try (RedisServer redis = RedisServer.start("--requirepass", "secret")) {
            assertThat(redis.command("SET", "k", "zwölf")).isEqualTo("OK");
            assertThat(redis.command("MGET", "k", "none")).isEqualTo(Arrays.asList("zwölf", null));
            assertThatThrownBy(() -> redis.command("INCR", "k"))
                    .isInstanceOf(RedisErrorException.class)
                    .hasMessage("ERR value is not an integer or out of range");
        }
    }

    @Test
    void pausedServerAnswersWhenItGoesOn() {
        try (RedisServer redis = RedisServer.start();
                RespConnection impatient = RespConnection.open(redis.port(), Duration.ofMillis(100))) {
            redis.pause();
            assertThatThrownBy(() -> impatient.call("INCR", "n")).isInstanceOf(UncheckedIOException.class);

            redis.resume();
            await().ignoreExceptions().until(impatient::receive, "1"::equals);
        }
    }

    @Test
    void pausedServerCanBeClosed() {
        List<ProcessHandle> before = before();
        RedisServer redis = RedisServer.start();
        redis.pause();
        redis.close();
        assertThat(startedSince(before)).isEmpty();
        assertThatThrownBy(redis::resume).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void killedServerRefusesUntilItIsStartedAgain() {
        try (RedisServer redis = RedisServer.start("--requirepass", "secret");
                RespConnection open = redis.connect()) {
            open.call("SET", "k", "v");
            redis.kill();
            assertThatThrownBy(() -> open.call("GET", "k")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> redis.command("GET", "k")).hasMessageContaining("refused");

            redis.restart();
            assertThat(redis.command("GET", "k")).isNull();
        }
    }

    @Test
    void runningServerIsStartedAgainEmpty() throws IOException {
        try (RedisServer redis = RedisServer.start("--requirepass", "secret");
                RespConnection open = redis.connect()) {
            open.call("SET", "k", "v");
            redis.restart();
            assertThat(redis.command("DBSIZE")).isEqualTo("0");
            assertThat(ping(redis)).startsWith("-NOAUTH");
        }
    }

    private static String ping(RedisServer redis) throws IOException {
        return RedisPing.send(SocketFactory.getDefault(), "127.0.0.1", redis.port(), Duration.ofSeconds(2));
    }
}
