package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** {@code limiter.headers=none}: responses do not show a limit before it is reached. */
interface NoFields extends Topic {

    @Test
    default void onlyARejectionIsTold() {
        Response admitted = to(server()).get("answers/once");
        assertThat(admitted.statusCode()).isEqualTo(200);
        assertThat(admitted.headers().toString()).doesNotContainIgnoringCase("ratelimit");
        Response rejected =
                to(server()).header("Origin", "https://elsewhere.example").get("answers/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.headers().toString()).doesNotContainIgnoringCase("ratelimit");
        assertThat(rejected.header("Retry-After")).isNotNull();
        assertThat(rejected.asString()).startsWith("{\"title\":\"Too Many Requests\",\"status\":429,");
        assertThat(rejected.header("Access-Control-Expose-Headers")).isEqualTo("Retry-After");
    }
}
