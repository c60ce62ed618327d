package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

/** What an instance has admitted without Redis counts for a window there, unless it is forgiven. */
class ForgivenAfterAnOutageTest {

    private final Processes instances = Processes.shared();

    @Test
    void anInstanceForgetsWhatItHasAdmittedAloneToACallerThatAnotherOneForgives() {
        await().until(() -> !caller().contains("ofThisInstance"));
        assertThat(buy(1, "carol")).isEqualTo(200);
        instances.redis.kill();
        for (String user : new String[] {"carol", "dave"}) {
            await().until(() -> buy(1, user) == 429);
        }
        assertThat(instances.get(1, "limits/me", "carol").statusCode())
                .as("one of the limits is CLOSED")
                .isEqualTo(503);
        instances.redis.restart();
        await().until(() -> !caller().contains("ofThisInstance"));
        assertThat(buy(1, "carol")).isEqualTo(429);
        await() // the other instance has to find Redis again
                .until(() ->
                        instances.delete(0, "limits/callers/buyer?user=carol").statusCode() == 200);
        Promised.since(System.nanoTime(), () -> buy(1, "carol") == 200);
        assertThat(buy(1, "dave")).isEqualTo(429);
        assertThat(buy(0, "dave")).as("Redis does not know").isEqualTo(200);
    }

    private int buy(int instance, String user) {
        return instances.get(instance, "tickets", user).statusCode();
    }

    private String caller() {
        return instances.get(1, "limits/callers/buyer?user=carol", "operator").body();
    }
}
