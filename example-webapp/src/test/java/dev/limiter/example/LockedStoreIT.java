package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The password of Redis is wrong, and then right: requests are answered all the time, and
 * health, metrics and events say why.
 */
class LockedStoreIT {
    private static final File LIBRARIES = new File(System.getProperty("signals.libraries"));

    @TempDir
    private Path directory;

    @Test
    void healthMetricsAndEventsSayWhy() throws Exception {
        SharedRedis.configure();
        String uri = System.getProperty("limiter.redis.uri");
        try (RedisServer locked = RedisServer.start("--requirepass", "right");
                OwnJetty jetty = new OwnJetty(directory)) {
            System.setProperty("limiter.redis.uri", "redis://:wrong@127.0.0.1:" + locked.port());
            WebAppContext application = jetty.deploy(war());
            String signals = jetty.url(application) + "signals/";
            String node = "127.0.0.1:" + locked.port();

            assertThat(get(signals + "limited").statusCode()).isEqualTo(200);
            assertThat(get(signals + "limited").header("RateLimit")).isNull();
            assertThat(lines(signals + "meters"))
                    .contains("limiter.breaker.open [tag(node=" + node + ")] 1.0")
                    .anyMatch(line -> line.contains("fallback_admitted"))
                    .noneMatch(line -> line.contains("wrong"));
            assertThat(get(signals + "health").asString())
                    .startsWith("rate-limiter UP {")
                    .contains("store=unreachable", node + " reason=WRONGPASS")
                    .doesNotContain("wrong,", ":wrong");
            assertThat(lines(signals + "events")).anyMatch(line -> line.startsWith(node + " true WRONGPASS"));

            locked.command("CONFIG", "SET", "requirepass", "wrong");
            await().until(
                            () -> lines(signals + "meters"),
                            meters -> meters.contains("limiter.breaker.open [tag(node=" + node + ")] 0.0"));
            assertThat(get(signals + "health").asString()).contains("store=reachable");
            jetty.undeploy(application);
        } finally {
            System.setProperty("limiter.redis.uri", uri);
        }
    }

    private static List<String> lines(String url) {
        return get(url).asString().lines().toList();
    }

    private static WebArchive war() {
        WebArchive war = Wars.of("locked", "DeskApplication", "SignalsResource", "Observers", "Registry", "Telling");
        return war.addAsLibraries(LIBRARIES.listFiles());
    }
}
