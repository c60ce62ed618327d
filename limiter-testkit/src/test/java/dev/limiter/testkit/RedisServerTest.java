package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
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

    @Test
    void closingEndsEveryProcess() {
        RedisServer redis = RedisServer.start();
        List<ProcessHandle> started = ProcessHandle.current().descendants().toList();
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
    void portOfSomebodyElseIsNeverTakenForOurs() throws IOException {
        try (RedisServer other = RedisServer.start()) {
            assertThatThrownBy(() -> RedisServer.start("--port", Integer.toString(other.port())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was taken by someone else");
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

    private static String ping(RedisServer redis) throws IOException {
        return RedisPing.send(SocketFactory.getDefault(), "127.0.0.1", redis.port(), Duration.ofSeconds(2));
    }
}
