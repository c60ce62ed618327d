package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A limited class: its responses, and its units in Redis. */
@ExtendWith(ArquillianExtension.class)
class DeskIT {
    private static final Policy DESK = Policy.of("desk", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    private static final Policy TIGHT = Policy.of("tight", Algorithm.FIXED_WINDOW, 2, Duration.ofHours(1));
    private static final Policy VERB = Policy.of("verb", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    private static final Policy FORWARD = Policy.of("forward", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));

    private final Charged charged = new Charged("desk");

    @ArquillianResource
    private URL desk;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("desk", Map.of(), "DeskResource", "OriginalRequest");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void theEleventhRequestOfTenIsRejected() {
        for (int i = 9; i >= 0; i--) {
            Response admitted = to(desk).get("desk/plain");
            assertThat(admitted.statusCode()).isEqualTo(200);
            assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"desk\";q=10;w=3600");
            assertThat(remaining(admitted, "desk")).isEqualTo(i);
        }
        Response eleventh = to(desk).get("desk/plain");
        assertThat(eleventh.statusCode()).isEqualTo(429);
        assertThat(eleventh.header("RateLimit-Policy")).isEqualTo("\"desk\";q=10;w=3600");
        assertThat(remaining(eleventh, "desk")).isZero();
        assertThat(Integer.parseInt(eleventh.header("Retry-After"))).isBetween(3_400, 3_600);
        assertThat(eleventh.contentType()).isEqualTo("application/problem+json");
        assertThat(eleventh.json()).containsEntry("status", 429L);
        assertThat(eleventh.violatedPolicies()).containsExactly("desk");
        assertThat(charged.units(DESK)).isEqualTo(10);
    }

    @Test
    void theLimitsOfClassAndMethodAddUp() {
        to(desk).get("desk/tight");
        assertThat(remaining(to(desk).get("desk/tight"), "desk")).isEqualTo(8);
        Response third = to(desk).get("desk/tight");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.violatedPolicies()).containsExactly("tight");
        assertThat(charged.units(TIGHT)).isEqualTo(2);
        assertThat(charged.units(DESK))
                .as("who is refused by one limit uses up nothing of the other")
                .isEqualTo(2);
    }

    @Test
    void headCountsAsTheGetItStandsFor() {
        assertThat(to(desk).get("desk/verb").statusCode()).isEqualTo(200);
        assertThat(remaining(to(desk).head("desk/verb"), "verb")).isEqualTo(8);
        assertThat(charged.units(VERB, PartitionKey.of("verb", "GET"))).isEqualTo(2);
    }

    @Test
    void optionsCountsOnlyWhereAMethodAnswersIt() {
        assertThat(to(desk).options("desk/plain").asString()).isEqualTo("options");
        assertThat(charged.units(DESK)).isEqualTo(1);
        Response answeredByTheServer = to(desk).options("desk/tight");
        assertThat(answeredByTheServer.statusCode()).isBetween(200, 204);
        assertThat(answeredByTheServer.header("RateLimit")).isNull();
        assertThat(charged.units(DESK)).isEqualTo(1);
    }

    @Test
    void aForwardedRequestIsCountedOnceByEachPolicyOfBothMethods() {
        Response forwarded = to(desk).get("desk/forward");
        assertThat(forwarded.asString()).isEqualTo("tight");
        assertThat(charged.units(DESK)).isEqualTo(1);
        assertThat(charged.units(FORWARD)).isEqualTo(1);
        assertThat(charged.units(TIGHT)).isEqualTo(1);
    }

    @Test
    void theMethodAForwardedRequestComesToCanRejectIt() {
        to(desk).get("desk/tight");
        to(desk).get("desk/tight");
        Response forwarded = to(desk).get("desk/forward");
        assertThat(forwarded.statusCode()).isEqualTo(429);
        assertThat(forwarded.violatedPolicies()).containsExactly("tight");
        assertThat(charged.units(FORWARD)).isEqualTo(1);
    }

    @Test
    void whatDoesNotExistIsNotCounted() {
        assertThat(to(desk).get("desk/nowhere").statusCode()).isEqualTo(404);
        assertThat(charged.units(DESK)).isZero();
    }
}
