package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import io.restassured.response.Response;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Metrics, events and health in an application that has Micrometer, MicroProfile Health and
 * observers. All others here have neither, and show that nothing is required.
 */
class SignalsIT {
    private static final File LIBRARIES = new File(System.getProperty("signals.libraries"));
    private static final String SECRET = "alice-at-home";

    @TempDir
    private Path directory;

    /** Requests are answered all the time. */
    @Test
    void theyTellThatThePasswordOfRedisIsWrongAndThenOfRejections() throws Exception {
        SharedRedis.configure();
        String uri = System.getProperty("limiter.redis.uri");
        try (RedisServer locked = RedisServer.start("--requirepass", "right");
                OwnJetty jetty = new OwnJetty(directory)) {
            System.setProperty("limiter.redis.uri", "redis://:wrong@127.0.0.1:" + locked.port());
            WebAppContext application = jetty.deploy(war());
            String signals = jetty.url(application) + "signals/";
            String node = "127.0.0.1:" + locked.port();

            assertThat(limited(signals, "early").statusCode()).isEqualTo(200);
            assertThat(limited(signals, "bird").header("RateLimit")).isNull();
            assertThat(lines(signals + "meters"))
                    .contains(
                            "limiter.breaker.open [tag(node=" + node + ")] 1.0",
                            "limiter.decisions [" + tags("fallback_admitted") + "] 2.0")
                    .noneMatch(line -> line.contains("wrong"));
            assertThat(get(signals + "health").asString())
                    .startsWith("rate-limiter UP {")
                    .contains("store=unreachable", node + " reason=WRONGPASS")
                    .doesNotContain("wrong,", ":wrong");

            locked.command("CONFIG", "SET", "requirepass", "wrong");
            await().until(
                            () -> lines(signals + "meters"),
                            meters -> meters.contains("limiter.breaker.open [tag(node=" + node + ")] 0.0"));
            assertThat(get(signals + "health").asString()).contains("store=reachable");
            assertThat(limited(signals, SECRET).statusCode()).isEqualTo(200);
            assertThat(limited(signals, SECRET).statusCode())
                    .as("whatever an observer throws")
                    .isEqualTo(429);
            assertThat(get(signals + "limited").statusCode()).isEqualTo(200);
            assertThat(lines(signals + "meters"))
                    .contains(
                            "limiter.decisions [" + tags("admitted") + "] 2.0",
                            "limiter.decisions [" + tags("rejected") + "] 1.0",
                            "limiter.decision [] 5.0",
                            "limiter.key.missing [tag(policy=limited)] 1.0")
                    .noneMatch(line -> line.contains(SECRET));
            assertThat(lines(signals + "events")).hasSize(3).last().isEqualTo("limited false");
            assertThat(lines(signals + "events")).first().asString().startsWith(node + " true WRONGPASS");
            assertThat(lines(signals + "events")).element(1).asString().startsWith(node + " false ");

            assertThat(System.getProperty("signals.removed")).isNull();
            jetty.undeploy(application);
            assertThat(System.getProperty("signals.removed"))
                    .as("what asks an application that has ended")
                    .isEqualTo("limiter.breaker.open limiter.fallback.partitions limiter.leases.oldest"
                            + " limiter.leases.renewed");
        } finally {
            System.setProperty("limiter.redis.uri", uri);
        }
    }

    private static String tags(String outcome) {
        return "tag(outcome=" + outcome + "), tag(policy=limited)";
    }

    private static Response limited(String signals, String name) {
        return given().header("X-Name", name).get(signals + "limited");
    }

    private static List<String> lines(String url) {
        return get(url).asString().lines().toList();
    }

    private static WebArchive war() {
        return Wars.of("signals", "DeskApplication", "SignalsResource", "Observers", "Registry")
                .addAsLibraries(LIBRARIES.listFiles());
    }
}
