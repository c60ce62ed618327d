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

/** {@code limiter.headers=none}: responses do not show a limit before it is reached. */
@ExtendWith(ArquillianExtension.class)
class NoFieldsIT {

    @ArquillianResource
    private URL answers;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("none", Map.of("limiter.headers", "none"), "AnswersResource");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void onlyARejectionIsTold() {
        Response admitted = to(answers).get("answers/once");
        assertThat(admitted.statusCode()).isEqualTo(200);
        assertThat(admitted.headers().toString()).doesNotContainIgnoringCase("ratelimit");
        Response rejected =
                to(answers).header("Origin", "https://elsewhere.example").get("answers/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.headers().toString()).doesNotContainIgnoringCase("ratelimit");
        assertThat(rejected.header("Retry-After")).isNotNull();
        assertThat(rejected.asString()).startsWith("{\"title\":\"Too Many Requests\",\"status\":429,");
        assertThat(rejected.header("Access-Control-Expose-Headers")).isEqualTo("Retry-After");
    }
}
