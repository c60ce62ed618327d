package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code limiter.headers=legacy}: three headers without a standard, and no others. */
interface LegacyDialect extends Topic {

    @Test
    default void theFieldsAreThoseOfThePolicyWithTheLeastLeft() {
        Response admitted =
                to(server()).header("Origin", "https://elsewhere.example").get("answers/once");
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
    default void aRejectionHasThemToo() {
        to(server()).get("answers/once");
        Response rejected = to(server()).get("answers/once");
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
