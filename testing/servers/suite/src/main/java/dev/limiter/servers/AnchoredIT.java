package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A method that asks a policy for a key of its own has the anchor of its request. */
@ExtendWith(ArquillianExtension.class)
class AnchoredIT {

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("anchored", Map.of(), "AnchoredResource", "PlanFilter");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    /** The server shows the method with the limit to the limiter first. */
    @ParameterizedTest
    @CsvSource({"1, 1 month", "7, 1 month from 7", "31, 1 month from 31"})
    void eachQuestionHasTheAnchorOfTheRequest(String day, String period) {
        assertThat(get("anchored", day)).isEqualTo(period + ", " + period);
        assertThat(get("anchored/free", day)).isEqualTo(period);
    }

    private String get(String path, String day) {
        return to(server).header("Test-Plan", day).get(path).asString();
    }
}
