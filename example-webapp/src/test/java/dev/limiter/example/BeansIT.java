package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limiter and CDI: what can be injected, and what an application can replace. */
class BeansIT {

    @TempDir
    private Path directory;

    @BeforeEach
    void emptyRedis() {
        SharedRedis.configure();
        SharedRedis.empty();
    }

    @Test
    void theLimiterIsABeanAndSharesItsCountsWithNoOtherApplication() throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Set<String> before = SharedRedis.clients();
            WebAppContext application = jetty.deploy(Wars.of("beans", "DeskApplication", "BeanResource"));
            assertThat(get(jetty.url(application) + "bean/injected").asString()).isEqualTo("2");
            assertThat(get(jetty.url(application) + "bean/injected").asString()).isEqualTo("1");
            assertThat(SharedRedis.keys()).singleElement().asString().startsWith("rl:/beans:");
            jetty.undeploy(application);
            SharedRedis.awaitNoOtherConnectionBut(before);
        }
    }

    @Test
    void anApplicationsOwnLimiterIsAskedInstead() throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String own = jetty.url(jetty.deploy(Wars.of("own", "DeskApplication", "BeanResource", "OwnLimiter")));
            assertThat(remaining(get(own + "bean/limited"), "limited")).isEqualTo(9);
            assertThat(get(own + "bean/injected").asString()).isEqualTo("2");
            assertThat(SharedRedis.keys()).isEmpty();
        }
    }

    @Test
    void anApplicationsOwnClientAddressIsAskedInstead() throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String own =
                    jetty.url(jetty.deploy(Wars.of("address", "DeskApplication", "BeanResource", "DeviceAddress")));
            assertThat(remaining(device(own, "a"), "limited")).isEqualTo(9);
            assertThat(remaining(device(own, "b"), "limited")).isEqualTo(9);
            assertThat(remaining(device(own, "a"), "limited")).isEqualTo(8);
        }
    }

    /** And the bean is asked where there is a service, too. */
    @Test
    void theCredentialsOfRedisComeFromABeanOrAService() throws Exception {
        SharedRedis.permit("bean", "of a bean");
        SharedRedis.permit("service", "of a service");
        WebArchive service = withService("service", "BeanResource", "StoreCredentialsService");
        WebArchive both = withService("both", "BeanResource", "StoreCredentialsService", "StoreCredentials");
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Set<String> before = SharedRedis.clients();
            WebAppContext ofService = jetty.deploy(service);
            assertThat(get(jetty.url(ofService) + "bean/injected").asString()).isEqualTo("2");
            assertThat(SharedRedis.isConnected("service")).isTrue();
            WebAppContext ofBoth = jetty.deploy(both);
            assertThat(get(jetty.url(ofBoth) + "bean/injected").asString()).isEqualTo("2");
            assertThat(SharedRedis.isConnected("bean")).isTrue();
            jetty.undeploy(ofService);
            jetty.undeploy(ofBoth);
            SharedRedis.awaitNoOtherConnectionBut(before);
            Awaitility.await()
                    .until(() -> Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().equals("limiter-credentials")));
        }
    }

    private static WebArchive withService(String name, String... classes) {
        String[] all =
                Stream.concat(Stream.of("DeskApplication"), Stream.of(classes)).toArray(String[]::new);
        return Wars.of(name, all)
                .addAsResource(
                        new StringAsset("dev.limiter.example.wars.StoreCredentialsService"),
                        "META-INF/services/dev.limiter.spi.CredentialsSource");
    }

    @Test
    void aFeatureThatIsRegisteredTwiceCountsOnce() throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String twice = jetty.url(jetty.deploy(Wars.of("twice", "ListingApplication", "BeanResource")));
            assertThat(remaining(get(twice + "bean/limited"), "limited")).isEqualTo(9);
            assertThat(remaining(get(twice + "bean/limited"), "limited")).isEqualTo(8);
        }
    }

    private static Response device(String application, String name) {
        return given().header("X-Device", name).get(application + "bean/limited");
    }
}
