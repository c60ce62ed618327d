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

/** {@code limiter.headers=draft-11,legacy}: for clients that know either dialect. */
@ExtendWith(ArquillianExtension.class)
class BothDialectsIT {

    @ArquillianResource
    private URL answers;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("both", Map.of("limiter.headers", "draft-11,legacy"), "AnswersResource");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void bothDialectsSayTheSame() {
        Response admitted = to(answers).get("answers/costly");
        assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"costly\";q=100;w=3600");
        assertThat(admitted.header("RateLimit")).startsWith("\"costly\";r=80");
        assertThat(admitted.header("X-RateLimit-Limit")).isEqualTo("100");
        assertThat(admitted.header("X-RateLimit-Remaining")).isEqualTo("80");
    }

    @Test
    void aRejectionHasTheTypeOfDraft11() {
        to(answers).get("answers/once");
        Response rejected = to(answers).get("answers/once");
        assertThat(rejected.text("type")).isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    }

    @Test
    void bothAreExposed() {
        Response admitted =
                to(answers).header("Origin", "https://elsewhere.example").get("answers/once");
        assertThat(admitted.header("Access-Control-Expose-Headers"))
                .isEqualTo("RateLimit-Policy, RateLimit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset,"
                        + " Retry-After");
    }
}
