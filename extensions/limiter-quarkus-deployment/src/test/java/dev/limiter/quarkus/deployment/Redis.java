package dev.limiter.quarkus.deployment;

import dev.limiter.testkit.RedisServer;
import io.quarkus.test.QuarkusUnitTest;

/**
 * A Redis for the application of a test. Quarkus loads the classes of a test a second time, so what
 * both use is among the system properties.
 */
final class Redis {
    private static final String URI = "limiter.redis.uri";

    private Redis() {}

    /** Starts one before the application, and ends it afterwards. */
    static QuarkusUnitTest with(QuarkusUnitTest application) {
        RedisServer[] server = {null};
        return application
                .setBeforeAllCustomizer(() -> {
                    server[0] = RedisServer.start();
                    System.setProperty(URI, server[0].uri());
                    System.getProperties().put("redis.pause", (Runnable) server[0]::pause);
                    System.getProperties().put("redis.resume", (Runnable) server[0]::resume);
                })
                .setAfterAllCustomizer(() -> {
                    System.clearProperty(URI);
                    server[0].close();
                });
    }

    static void pause() {
        ((Runnable) System.getProperties().get("redis.pause")).run();
    }

    static void resume() {
        ((Runnable) System.getProperties().get("redis.resume")).run();
    }
}
