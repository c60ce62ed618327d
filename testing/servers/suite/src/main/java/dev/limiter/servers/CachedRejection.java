package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * A client that is over the limit and goes on asking costs Redis one call, not one for each
 * request.
 */
interface CachedRejection extends Topic {
    int REQUESTS = 50;

    @Test
    default void aRequestOverTheLimitIsRejectedWithoutAskingRedis() {
        Response response = to(server()).get("failures/closed");
        while (response.statusCode() == 200) {
            response = to(server()).get("failures/closed");
        }
        assertThat(response.statusCode()).isEqualTo(429);
        long began = System.nanoTime();
        long before = SharedRedis.scriptCalls();
        for (int i = 0; i < REQUESTS; i++) {
            Response next = to(server()).get("failures/closed");
            assertThat(next.statusCode()).isEqualTo(429);
            assertThat(next.header("RateLimit")).isNotNull();
            assertThat(Long.parseLong(next.header("Retry-After")))
                    .isBetween(1L, Long.parseLong(response.header("Retry-After")));
        }
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        assertThat(SharedRedis.scriptCalls() - before)
                .as("one for each ten seconds for which a rejection is remembered")
                .isLessThanOrEqualTo(1 + seconds / 9);
    }
}
