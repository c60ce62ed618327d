package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A limit of 3 with a ban after 20 rejections, on three instances. */
class BansTest {
    private static final int INSTANCES = 3;
    private static final long LIMIT = 3;

    @TempDir
    Path folder;

    @Test
    void theTwentiethRejectionOverAllInstancesClosesThePartitionUntilItIsForgiven() throws Exception {
        try (Processes instances = new Processes(
                INSTANCES, "2s", "--dir", folder.toString(), "--appendonly", "yes", "--appendfsync", "always")) {
            for (int i = 0; i < LIMIT; i++) {
                assertThat(login(instances, i).statusCode()).isEqualTo(200);
            }
            for (int i = 0; i < 19; i++) {
                assertThat(login(instances, i % INSTANCES).statusCode()).isEqualTo(429);
            }
            assertThat(caller(instances, 0)).doesNotContain("bannedFor");
            assertThat(login(instances, 1).statusCode()).isEqualTo(429);
            for (int i = 0; i < INSTANCES; i++) {
                assertThat(caller(instances, i)).contains("\"bannedFor\":3600");
            }
            assertThat(instances
                            .put(0, "limits/policies/login", "{\"limit\": 1000, \"because\": \"test\"}")
                            .statusCode())
                    .isEqualTo(200);
            TimeUnit.SECONDS.sleep(1);
            for (int i = 0; i < INSTANCES * 10; i++) {
                HttpResponse<String> banned = login(instances, i % INSTANCES);
                assertThat(banned.statusCode()).as("with a limit of 1000").isEqualTo(429);
                assertThat(Integer.parseInt(
                                banned.headers().firstValue("Retry-After").orElseThrow()))
                        .isBetween(3_500, 3_600);
            }
            assertThat(caller(instances, 0)).contains("\"used\":" + LIMIT);
            instances.redis.kill();
            instances.redis.restart();
            instances.kill(0);
            instances.startOneMore();
            assertThat(login(instances, INSTANCES).statusCode())
                    .as("after a restart of Redis and of an instance")
                    .isEqualTo(429);
            assertThat(instances.get(1, "tickets/login", "other").statusCode()).isEqualTo(200);
            assertThat(instances.delete(1, "limits/callers/login?user=eve").statusCode())
                    .isEqualTo(200);
            long forgiven = System.nanoTime();
            for (int i = 1; i <= INSTANCES; i++) {
                int at = i;
                Promised.since(forgiven, () -> login(instances, at).statusCode() == 200);
            }
        }
    }

    private static HttpResponse<String> login(Processes instances, int instance) {
        return instances.get(instance, "tickets/login", "eve");
    }

    private static String caller(Processes instances, int instance) {
        return instances
                .get(instance, "limits/callers/login?user=eve", "operator")
                .body();
    }
}
