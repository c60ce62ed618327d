package dev.limiter.operations;

import static dev.limiter.operations.Processes.INSTANCES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndOfAChangeTest {
    private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final Processes instances = Processes.shared();

    @Test
    void aChangeEndsByItselfWithoutTheInstanceThatMadeItAndWithoutRedis() throws Exception {
        long asked = System.nanoTime();
        assertThat(instances
                        .put(0, "limits/policies/many", "{\"limit\": 7, \"for\": \"4s\", \"because\": \"test\"}")
                        .statusCode())
                .isEqualTo(200);
        long made = System.nanoTime();
        for (int instance = 1; instance < INSTANCES; instance++) {
            int at = instance;
            Promised.since(made, () -> isChanged(at));
        }
        instances.kill(0);
        instances.redis.kill();
        for (int instance = 1; instance < INSTANCES; instance++) {
            int at = instance;
            Promised.since(made + SPAN_NANOS, () -> !isChanged(at));
            assertThat(System.nanoTime() - asked).isGreaterThan(SPAN_NANOS);
        }
        instances.redis.restart();
        instances.startAnew(0);
    }

    private boolean isChanged(int instance) {
        return instances.get(instance, "limits", "operator").body().contains("\"limit\":\"7\"");
    }
}
