package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A limited class: its responses, and its units in Redis. */
interface LimitedClass extends Topic {
    Policy DESK = Policy.of("desk", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    Policy TIGHT = Policy.of("tight", Algorithm.FIXED_WINDOW, 2, Duration.ofHours(1));
    Policy VERB = Policy.of("verb", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    Policy FORWARD = Policy.of("forward", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));

    @Test
    default void theEleventhRequestOfTenIsRejected() {
        for (int i = 9; i >= 0; i--) {
            Response admitted = to(server()).get("desk/plain");
            assertThat(admitted.statusCode()).isEqualTo(200);
            assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"desk\";q=10;w=3600");
            assertThat(remaining(admitted, "desk")).isEqualTo(i);
        }
        Response eleventh = to(server()).get("desk/plain");
        assertThat(eleventh.statusCode()).isEqualTo(429);
        assertThat(eleventh.header("RateLimit-Policy")).isEqualTo("\"desk\";q=10;w=3600");
        assertThat(remaining(eleventh, "desk")).isZero();
        assertThat(Integer.parseInt(eleventh.header("Retry-After"))).isBetween(3_400, 3_600);
        assertThat(eleventh.contentType()).isEqualTo("application/problem+json");
        assertThat(eleventh.json()).containsEntry("status", 429L);
        assertThat(eleventh.violatedPolicies()).containsExactly("desk");
        assertThat(charged().units(DESK)).isEqualTo(10);
    }

    @Test
    default void theLimitsOfClassAndMethodAddUp() {
        to(server()).get("desk/tight");
        assertThat(remaining(to(server()).get("desk/tight"), "desk")).isEqualTo(8);
        Response third = to(server()).get("desk/tight");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.violatedPolicies()).containsExactly("tight");
        assertThat(charged().units(TIGHT)).isEqualTo(2);
        assertThat(charged().units(DESK))
                .as("who is refused by one limit uses up nothing of the other")
                .isEqualTo(2);
    }

    @Test
    default void headCountsAsTheGetItStandsFor() {
        assertThat(to(server()).get("desk/verb").statusCode()).isEqualTo(200);
        assertThat(remaining(to(server()).head("desk/verb"), "verb")).isEqualTo(8);
        assertThat(charged().units(VERB, PartitionKey.of("verb", "GET"))).isEqualTo(2);
    }

    @Test
    default void optionsCountsOnlyWhereAMethodAnswersIt() {
        assertThat(to(server()).options("desk/plain").asString()).isEqualTo("options");
        assertThat(charged().units(DESK)).isEqualTo(1);
        Response answeredByTheServer = to(server()).options("desk/tight");
        assertThat(answeredByTheServer.statusCode()).isBetween(200, 204);
        assertThat(answeredByTheServer.header("RateLimit")).isNull();
        assertThat(charged().units(DESK)).isEqualTo(1);
    }

    @Test
    default void aForwardedRequestIsCountedOnceByEachPolicyOfBothMethods() {
        Response forwarded = to(server()).get("desk/forward");
        assertThat(forwarded.asString()).isEqualTo("tight");
        assertThat(charged().units(DESK)).isEqualTo(1);
        assertThat(charged().units(FORWARD)).isEqualTo(1);
        assertThat(charged().units(TIGHT)).isEqualTo(1);
    }

    @Test
    default void theMethodAForwardedRequestComesToCanRejectIt() {
        to(server()).get("desk/tight");
        to(server()).get("desk/tight");
        Response forwarded = to(server()).get("desk/forward");
        assertThat(forwarded.statusCode()).isEqualTo(429);
        assertThat(forwarded.violatedPolicies()).containsExactly("tight");
        assertThat(charged().units(FORWARD)).isEqualTo(1);
    }

    @Test
    default void anExemptMethodIsNotCountedAndOneThatReplacesTheLimitCountsOnItsOwn() {
        assertThat(to(server()).get("desk/exempt").header("RateLimit")).isNull();
        assertThat(remaining(to(server()).get("desk/replaced"), "replaced")).isEqualTo(9);
        assertThat(charged().units(DESK)).isZero();
    }

    @Test
    default void whatDoesNotExistIsNotCounted() {
        assertThat(to(server()).get("desk/nowhere").statusCode()).isEqualTo(404);
        assertThat(charged().units(DESK)).isZero();
    }
}
