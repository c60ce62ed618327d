package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndOfAChangeTest {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(4);

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
                Promised.since(made, () -> isChanged(instances, at));
            }
            instances.kill(0);
            instances.redis.pause();
            for (int instance = 1; instance < 3; instance++) {
                int at = instance;
                Promised.since(made + SPAN_NANOS, () -> !isChanged(instances, at));
                assertThat(System.nanoTime() - asked).isGreaterThan(SPAN_NANOS);
            }
            instances.redis.resume();
        }
    }

    private static boolean isChanged(Processes instances, int instance) {
        return instances.get(instance, "limits", "operator").body().contains("\"limit\":\"7\"");
    }
}
