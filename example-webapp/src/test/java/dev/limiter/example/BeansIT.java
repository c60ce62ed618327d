package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.awaitility.Awaitility;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The limiter and CDI: what can be injected, and what an application can replace. OwnClockIT
 * replaces the limiter.
 */
class BeansIT {

    @TempDir
    private Path directory;

    /** A bean with the credentials of Redis is asked before a service. */
    @Test
    void theLimiterIsABeanAndAsksThoseOfItsApplicationAndFindsItsStateAgain() throws Exception {
        SharedRedis.configure();
        SharedRedis.empty();
        SharedRedis.permit("bean", "of a bean");
        SharedRedis.permit("service", "of a service");
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Set<String> before = SharedRedis.clients();
            WebAppContext first = jetty.deploy(war("BeanResource", "DeviceAddress", "StoreCredentials"));
            String bean = jetty.url(first) + "bean/";
            assertThat(get(bean + "injected").asString()).isEqualTo("2");
            assertThat(SharedRedis.keys()).anyMatch(key -> key.startsWith("rl:/beans:"));
            assertThat(SharedRedis.isConnected("bean")).isTrue();
            assertThat(limited(bean, "a")).isEqualTo(9);
            assertThat(limited(bean, "b")).isEqualTo(9);
            assertThat(limited(bean, "a")).isEqualTo(8);
            undeploy(jetty, first, before);

            WebAppContext second = jetty.deploy(war("BeanResource"));
            assertThat(get(bean + "injected").asString()).isEqualTo("1");
            assertThat(SharedRedis.isConnected("service")).isTrue();
            undeploy(jetty, second, before);
        }
    }

    private static void undeploy(OwnJetty jetty, WebAppContext application, Set<String> before) throws Exception {
        jetty.undeploy(application);
        SharedRedis.awaitNoOtherConnectionBut(before);
        Awaitility.await()
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("limiter-credentials")));
    }

    private static WebArchive war(String... classes) {
        return Wars.with(Wars.of("beans", "DeskApplication", "StoreCredentialsService"), classes)
                .addAsResource(
                        new StringAsset("dev.limiter.example.wars.StoreCredentialsService"),
                        "META-INF/services/dev.limiter.spi.CredentialsSource");
    }

    private static int limited(String bean, String device) {
        return remaining(given().header("X-Device", device).get(bean + "limited"), "limited");
    }
}
