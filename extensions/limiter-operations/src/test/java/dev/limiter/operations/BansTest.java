package dev.limiter.operations;

import static dev.limiter.operations.Processes.INSTANCES;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** A limit of 3 with a ban after 20 rejections, on three instances. */
class BansTest {
    private static final long LIMIT = 3;
    private static final int REJECTIONS = 20;

    private final Processes instances = Processes.shared();

    @Test
    void rejectionsOverAllInstancesCloseThePartitionUntilItIsForgiven() throws Exception {
        for (int i = 0; i < LIMIT; i++) {
            assertThat(login(i).statusCode()).isEqualTo(200);
        }
        int rejections = 0;
        while (!caller(0).contains("bannedFor")) {
            assertThat(login(rejections++ % INSTANCES).statusCode()).isEqualTo(429);
        }
        assertThat(rejections)
                .as("an instance tells others of those that its cache answers when it next asks Redis")
                .isBetween(REJECTIONS, INSTANCES * REJECTIONS);
        for (int i = 0; i < INSTANCES; i++) {
            assertThat(caller(i)).containsPattern("\"bannedFor\":3[56]\\d\\d\\b");
        }
        assertThat(instances
                        .put(0, "limits/policies/login", "{\"limit\": 1000, \"because\": \"test\"}")
                        .statusCode())
                .isEqualTo(200);
        long changed = System.nanoTime();
        for (int i = 0; i < INSTANCES; i++) {
            int at = i;
            Promised.since(changed, () -> caller(at).contains("\"limit\":1000"));
            HttpResponse<String> banned = login(i);
            assertThat(banned.statusCode()).as("with a limit of 1000").isEqualTo(429);
            assertThat(Integer.parseInt(
                            banned.headers().firstValue("Retry-After").orElseThrow()))
                    .isBetween(3_500, 3_600);
        }
        assertThat(caller(0)).contains("\"used\":" + LIMIT);
        instances.redis.restart();
        instances.kill(0);
        instances.startAnew(0);
        assertThat(login(0).statusCode())
                .as("after a restart of Redis and of an instance")
                .isEqualTo(429);
        assertThat(instances.get(1, "tickets/login", "other").statusCode()).isEqualTo(200);
        assertThat(instances.delete(1, "limits/callers/login?user=eve").statusCode())
                .isEqualTo(200);
        long forgiven = System.nanoTime();
        for (int i = 0; i < INSTANCES; i++) {
            int at = i;
            Promised.since(forgiven, () -> login(at).statusCode() == 200);
        }
    }

    private HttpResponse<String> login(int instance) {
        return instances.get(instance, "tickets/login", "eve");
    }

    private String caller(int instance) {
        return instances
                .get(instance, "limits/callers/login?user=eve", "operator")
                .body();
    }
}
