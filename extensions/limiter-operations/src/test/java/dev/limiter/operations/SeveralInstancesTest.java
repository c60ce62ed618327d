package dev.limiter.operations;

import static dev.limiter.operations.Processes.INSTANCES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Operators and callers of three instances, each a process, on one Redis. */
class SeveralInstancesTest {
    private static final int REQUESTS_PER_SECOND = 300;
    private static final int AT_ONCE = 32;
    private static final Pattern QUOTA = Pattern.compile("\"many\";q=(\\d+)");

    private static final Processes instances = Processes.shared();

    /** A text of changes begins with its version. */
    private static final Pattern CHANGES = Pattern.compile("\\d+-[0-9a-f]{8}-");

    private record Seen(long begunNanos, int instance, long limit) {}

    @Test
    void underLoadNoInstanceDecidesByOldNumbersASecondAfterTheAnswer() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Queue<Seen> seen = new ConcurrentLinkedQueue<>();
        Thread load = new Thread(() -> load(seen, over));
        load.start();
        Map<Long, Long> changed = new TreeMap<>();
        for (long limit : new long[] {50_000, 60_000}) {
            int before = seen.size();
            await().until(() -> seen.size() > before + AT_ONCE);
            HttpResponse<String> answer = instances.put(
                    (int) (limit / 10_000 % INSTANCES),
                    "limits/policies/many",
                    "{\"limit\": " + limit + ", \"because\": \"load\"}");
            long answered = System.nanoTime();
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            changed.put(answered, limit);
            await().until(() -> seen.stream()
                            .filter(each -> each.begunNanos() - answered > Promised.NANOS)
                            .map(Seen::instance)
                            .distinct()
                            .count()
                    == INSTANCES);
        }
        over.set(true);
        load.join();
        assertThat(instances.delete(0, "limits/policies/many").statusCode()).isEqualTo(200);
        List<Seen> late = new ArrayList<>();
        for (Seen each : seen) {
            changed.entrySet().stream()
                    .filter(change -> each.begunNanos() - change.getKey() > Promised.NANOS)
                    .reduce((first, second) -> second)
                    .filter(inForce -> each.limit() < inForce.getValue() || each.limit() == 100_000)
                    .ifPresent(old -> late.add(each));
        }
        assertThat(late).isEmpty();
    }

    private static void load(Queue<Seen> seen, AtomicBoolean over) {
        Semaphore underWay = new Semaphore(AT_ONCE);
        long begun = System.nanoTime();
        for (int i = 0; !over.get(); i++) {
            LockSupport.parkNanos(begun + i * TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND - System.nanoTime());
            underWay.acquireUninterruptibly(); // a slow machine gets fewer requests
            int instance = i % INSTANCES;
            long at = System.nanoTime();
            instances
                    .send(instance, "GET", "tickets/many", "user-" + i % 97, null)
                    .whenComplete((answer, failed) -> underWay.release())
                    .thenAccept(answer -> {
                        Matcher quota = QUOTA.matcher(
                                answer.headers().firstValue("RateLimit-Policy").orElse(""));
                        if (quota.find()) {
                            seen.add(new Seen(at, instance, Long.parseLong(quota.group(1))));
                        }
                    });
        }
    }

    @Test
    void aCallerIsForgivenOnAllInstancesAndNoOtherStateChanges() {
        for (String user : List.of("alice", "bob")) {
            for (int i = 0; i < 5; i++) {
                assertThat(instances.get(i % INSTANCES, "tickets", user).statusCode())
                        .isEqualTo(200);
            }
            for (int i = 0; i < INSTANCES; i++) {
                int at = i;
                // Not kept at once if something else in its part of the cache has changed.
                await().untilAsserted(() -> {
                    assertThat(instances.get(at, "tickets", user).statusCode()).isEqualTo(429);
                    assertThat(caller(at, user))
                            .contains("\"cachedRejection\":true")
                            .contains("\"remaining\":0");
                });
            }
        }
        String state = caller(0, "alice").replaceAll(".*\"storeKey\":\"([^\"]*)\".*", "$1");
        Map<String, String> before = states();
        assertThat(before).containsKey(state);
        assertThat(instances.delete(1, "limits/callers/buyer?user=alice").statusCode())
                .isEqualTo(200);
        long forgiven = System.nanoTime();
        Map<String, String> after = states();
        before.entrySet().removeAll(after.entrySet());
        assertThat(before).as("states that are gone, or have changed").containsOnlyKeys(state);
        assertThat(after).doesNotContainKey(state);
        for (int i = 0; i < INSTANCES; i++) {
            int at = i;
            Promised.since(forgiven, () -> isForgiven(caller(at, "alice")));
        }
        for (int i = 0; i < INSTANCES; i++) {
            assertThat(instances.get(i, "tickets", "alice").statusCode()).isEqualTo(200);
            assertThat(instances.get(i, "tickets", "bob").statusCode()).isEqualTo(429);
        }
    }

    private static boolean isForgiven(String caller) {
        return caller.contains("\"cachedRejection\":false") && caller.contains("\"remaining\":5");
    }

    private static String caller(int instance, String user) {
        return instances
                .get(instance, "limits/callers/buyer?user=" + user, "operator")
                .body();
    }

    /** The states as they are in Redis, byte for byte; not what operators have changed. */
    private static Map<String, String> states() {
        Map<String, String> states = new TreeMap<>();
        for (Object key : (List<?>) instances.redis.command("KEYS", "rl:*")) {
            String name = key.toString();
            if (instances.redis.command("TYPE", name).equals("string")) { // a list has reports of instances
                states.put(name, instances.redis.command("GET", name).toString());
            }
        }
        states.values().removeIf(text -> CHANGES.matcher(text).lookingAt());
        return states;
    }

    @Test
    void whoIsRejectedIsSummedOverTheInstances() {
        for (int i = 0; i < 5; i++) {
            instances.get(0, "tickets", "mallory");
        }
        for (int i = 0; i < INSTANCES * 4; i++) {
            assertThat(instances.get(i % INSTANCES, "tickets", "mallory").statusCode())
                    .isEqualTo(429);
        }
        String rejected = await() // an instance has a second to tell
                .until(
                        () -> instances.get(2, "limits/rejected", "operator").body(),
                        told -> told.contains("\"instances\":" + INSTANCES));
        assertThat(rejected).contains("{\"caller\":{\"user\":\"mallory\"},\"rejected\":12,\"atLeast\":12}");
    }
}
