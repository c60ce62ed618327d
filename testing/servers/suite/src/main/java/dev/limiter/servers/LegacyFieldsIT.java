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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code limiter.headers=legacy}: three headers without a standard, and no others. */
@ExtendWith(ArquillianExtension.class)
class LegacyFieldsIT {

    @ArquillianResource
    private URL answers;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("legacy", Map.of("limiter.headers", "legacy"), "AnswersResource");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void theFieldsAreThoseOfThePolicyWithTheLeastLeft() {
        Response admitted =
                to(answers).header("Origin", "https://elsewhere.example").get("answers/once");
        assertThat(admitted.statusCode()).isEqualTo(200);
        assertThat(admitted.header("X-RateLimit-Limit")).isEqualTo("1");
        assertThat(admitted.header("X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(Integer.parseInt(admitted.header("X-RateLimit-Reset"))).isBetween(1, 3600);
        assertThat(admitted.header("RateLimit")).isNull();
        assertThat(admitted.header("RateLimit-Policy")).isNull();
        assertThat(admitted.header("Access-Control-Expose-Headers"))
                .isEqualTo("X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After");
    }

    @Test
    void aRejectionHasThemToo() {
        to(answers).get("answers/once");
        Response rejected = to(answers).get("answers/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.header("X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(rejected.header("X-RateLimit-Reset")).isEqualTo(rejected.header("Retry-After"));
        assertThat(rejected.asString())
                .isEqualTo(
                        "{\"title\":\"Too Many Requests\",\"status\":429,\"detail\":\"Limit \\\"once\\\" reached; retry"
                                + " in %s s.\"}",
                        rejected.header("Retry-After"));
    }
}
