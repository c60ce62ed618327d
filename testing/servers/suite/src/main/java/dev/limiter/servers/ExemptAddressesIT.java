package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exempt addresses: here all addresses, since a test does not know its own. */
@ExtendWith(ArquillianExtension.class)
class ExemptAddressesIT {

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "exempt",
                Map.of("limiter.exempt-addresses", "0.0.0.0/0, ::/0"),
                "AnswersResource",
                "Servlets",
                "Servlets$Answering",
                "Servlets$Once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"answers/once", "s/once"})
    void anExemptAddressIsNeitherCountedNorTold(String path) {
        SharedRedis.empty();
        for (int i = 0; i < 3; i++) {
            Response response = to(server).get(path);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.header("RateLimit")).isNull();
        }
        assertThat(new Charged("exempt").units(Policy.of("once", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1))))
                .isZero();
    }
}
