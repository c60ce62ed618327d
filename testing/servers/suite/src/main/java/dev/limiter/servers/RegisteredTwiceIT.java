package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An application that lists the feature that its server finds without it: a row of the charge
 * table with a WAR of its own.
 */
@ExtendWith(ArquillianExtension.class)
class RegisteredTwiceIT {
    private static final Policy UNITS = Policy.of("units", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy FLIGHT = Policy.concurrency("flight", 100);

    private final Charged charged = new Charged("twice");

    @ArquillianResource
    private URL twice;

    @Deployment(testable = false)
    static WebArchive deploy() {
        SharedRedis.empty();
        return Wars.withoutApplication(
                "twice",
                Map.of(),
                "TwiceApplication",
                "Counted",
                "Gate",
                "EndsResource",
                "EndsResource$Sub",
                "OriginalRequest",
                "TeapotException");
    }

    @Test
    void itChargesOnce() {
        assertThat(to(twice).get("ends/plain").statusCode()).isEqualTo(200);
        assertThat(charged.units(UNITS)).isEqualTo(1);
        await().until(() -> charged.leases(FLIGHT), leases -> leases == 0);
    }
}
