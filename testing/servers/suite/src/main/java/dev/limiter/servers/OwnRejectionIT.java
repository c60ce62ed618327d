package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service with mappers of its own for rejections and for all other exceptions. */
@ExtendWith(ArquillianExtension.class)
class OwnRejectionIT {

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        Map<String, String> settings = new HashMap<>(CatchAll.ACCOUNT);
        settings.put("limiter.retry-after-jitter", "1h"); // two draws would hardly ever be equal
        return Wars.of(
                "own-rejection",
                settings,
                "AnswersResource",
                "AcquiringResource",
                "OwnRejectionMapper",
                "CatchAllMapper");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    /** Jersey lets a request pass whose filter aborts it with null. */
    @Test
    void aMapperThatReturnsNullLetsNoRequestPass() {
        assertThat(to(server).get("answers/once").statusCode()).isEqualTo(200);
        Response rejected = to(server).get("answers/once?none");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.asString()).contains("violated-policies");
    }

    /** A rejection before the method, and one that the method's own call throws. */
    @ParameterizedTest
    @CsvSource({"answers/once, once", "acquired/blue, account"})
    void aRejectionIsAnsweredByTheServicesOwnMapper(String path, String policy) {
        assertThat(to(server).get(path).statusCode()).isEqualTo(200);
        Response rejected = to(server).get(path);
        assertThat(rejected.statusCode()).isEqualTo(420);
        assertThat(rejected.asString())
                .isEqualTo("too much of " + policy + ", come again in " + rejected.header("Retry-After") + " s");
        assertThat(rejected.contentType()).startsWith("text/x-own");
        assertThat(remaining(rejected, policy)).isZero();
        assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(1, 7200);
    }
}
