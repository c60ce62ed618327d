package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A server that can hold no request: a request that would have to wait is rejected, and takes no
 * unit.
 */
interface SlotWaitRejected extends Topic {
    Policy QUEUE = Policy.leakyBucket("queue", 1, Duration.ofHours(1), Duration.ofHours(2));
    Policy QUOTA = Policy.of("quota", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));

    @Test
    default void aRequestWithoutAPlaceToWaitGivesBackItsSlotAndItsQuota() {
        Response first = to(server()).get("queue/both");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.header("Server-Timing")).isNull();
        for (int i = 0; i < 3; i++) {
            Response rejected = to(server()).get("queue/both");
            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(rejected.violatedPolicies()).isEqualTo(List.of("queue"));
            assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(1, 3600);
            assertThat(remaining(rejected, "quota")).isEqualTo(99);
            assertThat(charged().units(QUOTA)).isEqualTo(1);
            assertThat(charged().units(QUEUE)).isEqualTo(1);
        }
    }
}
