package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What an instance has admitted without Redis counts for a window there, unless it is forgiven. */
class ForgivenAfterAnOutageTest {

    @Test
    void anInstanceForgetsWhatItHasAdmittedAloneToACallerThatAnotherOneForgives() {
        try (Processes instances = new Processes(2, "150ms")) {
            assertThat(buy(instances, 1, "alice")).isEqualTo(200);
            instances.redis.pause();
            for (String user : new String[] {"alice", "bob"}) {
                Awaitility.await().until(() -> buy(instances, 1, user) == 429);
            }
            assertThat(instances.get(1, "limits/me", "alice").statusCode())
                    .as("one of the limits is CLOSED")
                    .isEqualTo(503);
            instances.redis.resume();
            Awaitility.await().until(() -> !caller(instances).contains("ofThisInstance"));
            assertThat(buy(instances, 1, "alice")).isEqualTo(429);
            Awaitility.await() // instance 0 has to find Redis again
                    .until(() -> instances
                                    .delete(0, "limits/callers/buyer?user=alice")
                                    .statusCode()
                            == 200);
            Promised.since(System.nanoTime(), () -> buy(instances, 1, "alice") == 200);
            assertThat(buy(instances, 1, "bob")).isEqualTo(429);
            assertThat(buy(instances, 0, "bob")).as("Redis does not know").isEqualTo(200);
        }
    }

    private static int buy(Processes instances, int instance, String user) {
        return instances.get(instance, "tickets", user).statusCode();
    }

    private static String caller(Processes instances) {
        return instances.get(1, "limits/callers/buyer?user=alice", "operator").body();
    }
}
