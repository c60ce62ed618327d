package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.asset.StringAsset;
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

    @Test
    void metricsEventsAndHealthTellOfRejectionsAndOfTheStore() throws Exception {
        SharedRedis.configure();
        try (OwnJetty jetty = new OwnJetty(directory)) {
            WebAppContext application = jetty.deploy(war());
            String signals = jetty.url(application) + "signals/";
            assertThat(limited(signals)).isEqualTo(200);
            assertThat(limited(signals)).as("whatever an observer throws").isEqualTo(429);
            assertThat(get(signals + "limited").statusCode()).isEqualTo(200);
            post(signals + "breaker");

            assertThat(get(signals + "meters").asString().lines())
                    .contains(
                            "limiter.decisions [" + tags("admitted") + "] 2.0",
                            "limiter.decisions [" + tags("rejected") + "] 1.0",
                            "limiter.decision [] 3.0",
                            "limiter.key.missing [tag(policy=limited)] 1.0",
                            "limiter.breaker.open [tag(node=redis:6379)] 1.0")
                    .noneMatch(line -> line.contains(SECRET));
            assertThat(get(signals + "events").asString().lines())
                    .containsExactly("limited false", "redis:6379 true refused");
            assertThat(get(signals + "health").asString())
                    .startsWith("rate-limiter UP {")
                    .contains("store=unreachable", "redis:6379=unreachable", "redis:6379 reason=refused");
            assertThat(System.getProperty("signals.removed")).isNull();
            jetty.undeploy(application);
            assertThat(System.getProperty("signals.removed"))
                    .as("what asks an application that has ended")
                    .isEqualTo("limiter.breaker.open limiter.leases.oldest limiter.leases.renewed");
        }
    }

    private static String tags(String outcome) {
        return "tag(outcome=" + outcome + "), tag(policy=limited)";
    }

    private static int limited(String signals) {
        return given().header("X-Name", SECRET).get(signals + "limited").statusCode();
    }

    private static WebArchive war() {
        WebArchive war = Wars.of("signals", "DeskApplication", "SignalsResource", "Observers", "Registry", "Telling");
        war.addAsResource(
                new StringAsset("dev.limiter.example.wars.Telling"),
                "META-INF/services/dev.limiter.spi.RateLimiterProvider");
        return war.addAsLibraries(LIBRARIES.listFiles());
    }
}
