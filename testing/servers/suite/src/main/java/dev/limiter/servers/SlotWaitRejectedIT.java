package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server that can hold no request: a request that would have to wait is rejected, and takes no
 * unit.
 */
@ExtendWith(ArquillianExtension.class)
class SlotWaitRejectedIT {
    private static final Policy QUEUE = Policy.leakyBucket("queue", 1, Duration.ofHours(1), Duration.ofHours(2));
    private static final Policy QUOTA = Policy.of("quota", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));

    private final Charged charged = new Charged("slot-wait-rejected");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("slot-wait-rejected", Map.of("limiter.slot-wait.max", "0"), "QueueResource");
    }

    @Test
    void aRequestWithoutAPlaceToWaitGivesBackItsSlotAndItsQuota() {
        SharedRedis.empty();
        Response first = to(server).get("queue/both");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.header("Server-Timing")).isNull();
        for (int i = 0; i < 3; i++) {
            Response rejected = to(server).get("queue/both");
            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(rejected.violatedPolicies()).isEqualTo(List.of("queue"));
            assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(1, 3600);
            assertThat(remaining(rejected, "quota")).isEqualTo(99);
            assertThat(charged.units(QUOTA)).isEqualTo(1);
            assertThat(charged.units(QUEUE)).isEqualTo(1);
        }
    }
}
