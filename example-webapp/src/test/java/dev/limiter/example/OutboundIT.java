package dev.limiter.example;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of a deployed application: its policy is configured, and its limiter the CDI bean. Two
 * applications are two instances.
 */
class OutboundIT {
    /** A policy for each test: a gate that a test has closed stays closed on both instances. */
    private static final String SETTINGS = """
            limiter.application=callers
            limiter.policy.carrier.key='all'
            limiter.policy.carrier.algorithm=SLIDING_LOG
            limiter.policy.carrier.limit=3
            limiter.policy.carrier.window=1h
            limiter.policy.carrier.on-store-failure=CLOSED
            limiter.policy.courier.key='all'
            limiter.policy.courier.algorithm=SLIDING_LOG
            limiter.policy.courier.limit=3
            limiter.policy.courier.window=1h
            limiter.policy.courier.on-store-failure=CLOSED
            """;

    @TempDir
    private static Path directory;

    private static OwnJetty jetty;
    private static String one;
    private static String other;

    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean enough;
    private HttpServer partner;

    @BeforeAll
    static void deploy() throws Exception {
        SharedRedis.configure();
        jetty = new OwnJetty(directory);
        one = jetty.url(jetty.deploy(war("one")));
        other = jetty.url(jetty.deploy(war("other")));
    }

    /** With the extension, which the zoo itself does not need. */
    private static WebArchive war(String name) {
        return Wars.with(SETTINGS, name, "CallingResource", "DeskApplication")
                .addAsLibraries(new File(System.getProperty("outbound.libraries")).listFiles());
    }

    @AfterAll
    static void undeploy() {
        jetty.close();
    }

    @BeforeEach
    void startPartner() throws Exception {
        SharedRedis.empty();
        partner = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        partner.createContext("/", exchange -> {
            calls.incrementAndGet();
            if (enough) {
                exchange.getResponseHeaders().add("Retry-After", "3600");
            }
            exchange.sendResponseHeaders(enough ? 429 : 204, -1);
            exchange.close();
        });
        partner.start();
    }

    @AfterEach
    void stopPartner() {
        partner.stop(0);
    }

    private String call(String instance, String policy) {
        return given().queryParam(
                        "partner", "http://localhost:" + partner.getAddress().getPort() + "/")
                .queryParam("policy", policy)
                .get(instance + "calls")
                .asString();
    }

    @Test
    void twoNodesShareThePartnersLimit() {
        assertThat(call(one, "carrier")).isEqualTo("answered 204");
        assertThat(call(other, "carrier")).isEqualTo("answered 204");
        assertThat(call(one, "carrier")).isEqualTo("answered 204");
        assertThat(call(other, "carrier")).isEqualTo("rate limit reached: carrier");
        assertThat(calls).hasValue(3);
    }

    @Test
    void whatThePartnerSaysToOneHoldsForTheOther() {
        enough = true;
        assertThat(call(one, "courier")).isEqualTo("answered 429");
        assertThat(call(other, "courier")).isEqualTo("rate limit reached: courier.gate");
        assertThat(calls).hasValue(1);
    }
}
