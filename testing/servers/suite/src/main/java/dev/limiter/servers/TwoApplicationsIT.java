package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two Jakarta REST applications in one WAR, which share policies by name, and so their buckets.
 */
@ExtendWith(ArquillianExtension.class)
class TwoApplicationsIT {

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.withoutApplication(
                "applications", Map.of(), "FirstApplication", "SecondApplication", "KeysResource");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void theAddressOfTheClientIsKnownToBoth() {
        for (int left = 9; left >= 5; left -= 2) {
            assertThat(left("first/keys/address")).isEqualTo(left);
            assertThat(left("second/keys/address")).isEqualTo(left - 1);
        }
    }

    private long left(String path) {
        Response response = to(server).get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return remaining(response, "address");
    }
}
