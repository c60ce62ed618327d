package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import io.quarkus.test.QuarkusDevModeTest;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In dev mode the limiter of the last reload is closed. */
class ReloadTest {
    private static final RedisServer REDIS = RedisServer.start();
    private static final int PORT = freePort();

    @RegisterExtension
    static final QuarkusDevModeTest APPLICATION = new QuarkusDevModeTest()
            .withApplicationRoot(jar -> jar.addClasses(Reloaded.class)
                    .addAsResource(
                            new StringAsset("quarkus.http.port=" + PORT + "\nlimiter.redis.uri=" + REDIS.uri() + "\n"),
                            "application.properties"));

    @AfterAll
    static void end() {
        REDIS.close();
    }

    @Test
    void fourReloadsLeaveOneLimiter() {
        Client client = new Client(URI.create("http://localhost:" + PORT));
        assertThat(client.statuses(2, "/reloaded")).containsExactly(200, 429);
        APPLICATION.modifySourceFile(Reloaded.class, source -> source.replace("limit = 1,", "limit = 2,"));
        assertThat(client.statuses(2, "/reloaded")).containsExactly(200, 429);
        APPLICATION.modifySourceFile(Reloaded.class, source -> source.replace("{ip}", "{pi}"));
        assertThat(client.get("/reloaded").body()).contains("unknown name").contains("did you mean");
        APPLICATION.modifySourceFile(
                Reloaded.class, source -> source.replace("{pi}", "{ip}").replace("first", "again"));
        HttpResponse<String> again = client.get("/reloaded"); // the store still counts two
        assertThat(again.statusCode()).isEqualTo(429);
        APPLICATION.modifyResourceFile(
                "application.properties", source -> source + "limiter.policy.reloaded.limit=3\n");
        assertThat(client.get("/reloaded").body()).isEqualTo("again");
        assertThat(client.get("/reloaded").statusCode()).isEqualTo(429);
        await().untilAsserted(() -> assertThat(watchdogs()).hasSize(1));
        await().untilAsserted(() -> assertThat(connections()).hasSize(1));
    }

    private static List<String> watchdogs() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter("limiter-watchdog"::equals)
                .toList();
    }

    /** Without the one that asks. */
    private static List<String> connections() {
        return REDIS.command("CLIENT", "LIST")
                .toString()
                .lines()
                .filter(line -> !line.contains("cmd=client"))
                .toList();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
