package dev.limiter.operations;

import static dev.limiter.operations.Processes.INSTANCES;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EndOfAChangeTest {
    private final Processes instances = Processes.shared();

    @Test
    void aChangeEndsByItselfWithoutTheInstanceThatMadeItAndWithoutRedis() throws Exception {
        long spanNanos = TimeUnit.SECONDS.toNanos(2);
        long asked;
        long made;
        do { // a change that ended while this machine stood still was seen by no instance
            spanNanos *= 2;
            asked = System.nanoTime();
            String span = TimeUnit.NANOSECONDS.toSeconds(spanNanos) + "s";
            String body = "{\"limit\": 7, \"for\": \"" + span + "\", \"because\": \"test\"}";
            assertThat(instances.put(0, "limits/policies/many", body).statusCode())
                    .isEqualTo(200);
            made = System.nanoTime();
        } while (!isSeen(made, asked + spanNanos));
        instances.kill(0);
        instances.redis.kill();
        for (int instance = 1; instance < INSTANCES; instance++) {
            int at = instance;
            Promised.since(made + spanNanos, () -> !isChanged(at));
            assertThat(System.nanoTime() - asked).isGreaterThan(spanNanos);
        }
        instances.redis.restart();
        instances.startAnew(0);
    }

    /** Whether all others follow a second after the answer; false if the change was over before. */
    private boolean isSeen(long made, long endNanos) {
        for (int instance = 1; instance < INSTANCES; instance++) {
            int at = instance;
            Promised.since(made, () -> isChanged(at) || System.nanoTime() - endNanos > 0);
        }
        return System.nanoTime() - endNanos < 0;
    }

    private boolean isChanged(int instance) {
        return instances.get(instance, "limits", "operator").body().contains("\"limit\":\"7\"");
    }
}
