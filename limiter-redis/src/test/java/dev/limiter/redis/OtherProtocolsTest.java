package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A port of {@code limiter.redis.uri} at which something else listens. */
class OtherProtocolsTest {
    private final Logger logger = Logger.getLogger("dev.limiter.store");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @ParameterizedTest
    @CsvSource({
        "redis://127.0.0.1:%d,             HTTP/1.1 400 Bad Request",
        "redis://127.0.0.1:%d/3,           HTTP/1.1 400 Bad Request",
        "redis://user:secret@127.0.0.1:%d, HTTP/1.1 400 Bad Request",
        "redis-cluster://127.0.0.1:%d,     HTTP/1.1 400 Bad Request",
        "redis://127.0.0.1:%d,             SSH-2.0-OpenSSH_9.6",
        "redis://127.0.0.1:%d,             220 mail.example ESMTP",
    })
    void aServerThatIsNoRedisIsNamedAsSuch(String uri, String greeting) throws IOException {
        try (ServerSocket port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answer(port, greeting + "\r\n\r\n"));
            server.setDaemon(true);
            server.start();
            Map<String, String> values =
                    Map.of("limiter.redis.uri", uri.formatted(port.getLocalPort()), "limiter.redis.deadline", "5s");
            Settings settings = name -> Optional.ofNullable(values.get(name));
            new RedisRateLimiterProvider()
                    .create("zoo", settings, Signals.NONE)
                    .orElseThrow()
                    .close();
            String address = "127.0.0.1:" + port.getLocalPort();
            assertThat(lines)
                    .containsExactly("WARNING LIM11: Redis at " + address + " does not decide: the server at " + address
                            + " does not speak Redis' protocol. Until it does, each limit follows its onStoreFailure");
        }
    }

    private static void answer(ServerSocket port, String greeting) {
        try {
            while (true) {
                try (Socket client = port.accept();
                        OutputStream out = client.getOutputStream()) {
                    out.write(greeting.getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    client.getInputStream().read();
                }
            }
        } catch (IOException closed) {
            // the end of the test
        }
    }
}
