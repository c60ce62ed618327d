package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code limiter.headers=draft-11,legacy}: for clients that know either dialect. */
interface BothDialects extends Topic {

    @Test
    default void bothDialectsSayTheSame() {
        Response admitted = to(server()).get("answers/costly");
        assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"costly\";q=100;w=3600");
        assertThat(admitted.header("RateLimit")).startsWith("\"costly\";r=80");
        assertThat(admitted.header("X-RateLimit-Limit")).isEqualTo("100");
        assertThat(admitted.header("X-RateLimit-Remaining")).isEqualTo("80");
    }

    @Test
    default void aRejectionHasTheTypeOfDraft11() {
        to(server()).get("answers/once");
        Response rejected = to(server()).get("answers/once");
        assertThat(rejected.text("type")).isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    }

    @Test
    default void bothAreExposed() {
        Response admitted =
                to(server()).header("Origin", "https://elsewhere.example").get("answers/once");
        assertThat(admitted.header("Access-Control-Expose-Headers"))
                .isEqualTo("RateLimit-Policy, RateLimit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset,"
                        + " Retry-After");
    }
}
