package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EndOfAChangeTest {

    @Test
    void aChangeEndsByItselfWithoutTheInstanceThatMadeItAndWithoutRedis() throws Exception {
        try (Processes instances = new Processes(3, "150ms")) {
            long asked = System.nanoTime();
            assertThat(instances
                            .put(0, "limits/policies/many", "{\"limit\": 7, \"for\": \"4s\", \"because\": \"test\"}")
                            .statusCode())
                    .isEqualTo(200);
            long made = System.nanoTime();
            for (int instance = 1; instance < 3; instance++) {
                int at = instance;
                Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> isChanged(instances, at));
            }
            instances.kill(0);
            instances.redis.pause();
            for (int instance = 1; instance < 3; instance++) {
                int at = instance;
                Awaitility.await().until(() -> !isChanged(instances, at));
                long ended = System.nanoTime();
                assertThat(ended - asked).isGreaterThan(TimeUnit.SECONDS.toNanos(4));
                assertThat(ended - made).as("instance " + at).isLessThan(TimeUnit.SECONDS.toNanos(5));
            }
            instances.redis.resume();
        }
    }

    private static boolean isChanged(Processes instances, int instance) {
        return instances.get(instance, "limits", "operator").body().contains("\"limit\":\"7\"");
    }
}
