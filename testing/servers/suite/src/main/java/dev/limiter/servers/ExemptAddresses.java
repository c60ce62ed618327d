package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients behind a trusted proxy, whose addresses are exempt. */
interface ExemptAddresses extends Topic {
    String EXEMPT = "192.0.2.7";

    @ParameterizedTest
    @ValueSource(strings = {"answers/once", "s/once"})
    default void anExemptAddressIsNeitherCountedNorTold(String path) {
        for (int i = 0; i < 3; i++) {
            Response response = to(server()).header("X-Forwarded-For", EXEMPT).get(path);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.header("RateLimit")).isNull();
        }
        assertThat(charged().units(Policy.of("once", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1))))
                .isZero();
    }
}
