package shop.quarkus;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.Map;
import redis.embedded.RedisServer;

/** A Redis beside the tests. */
public class Redis implements QuarkusTestResourceLifecycleManager {
    private RedisServer server;

    @Override
    public Map<String, String> start() {
        int port = freePort();
        server = new RedisServer(port);
        server.start();
        return Map.of("limiter.redis.uri", "redis://127.0.0.1:" + port);
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    @Override
    public void stop() {
        server.stop();
    }
}
