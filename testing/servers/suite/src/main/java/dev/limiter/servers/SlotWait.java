package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Requests that are held for their slot: none runs before it, and the number of held requests is
 * bounded.
 */
interface SlotWait extends Topic {
    int MOST_HELD = 2;
    long SLOT_MICROS = 300_000;
    /** The difference of two clocks of one machine in a second, of which only one is steady. */
    long CLOCKS_MICROS = 1_000;

    /**
     * A served request.
     *
     * @param at the instant of its decision, in µs as the others
     * @param heldMillis what its {@code Server-Timing} says; 0 without
     */
    record Served(long at, long slot, long run, double heldMillis) {
        static Served of(Response response) {
            assertThat(response.statusCode()).isEqualTo(200);
            String[] micros = response.asString().split(" ");
            String timing = response.header("Server-Timing");
            if (timing != null) {
                assertThat(timing).matches("ratelimit;dur=\\d+\\.\\d");
            }
            return new Served(
                    Long.parseLong(micros[0]),
                    Long.parseLong(micros[1]),
                    Long.parseLong(micros[2]),
                    timing == null ? 0 : Double.parseDouble(timing.substring(timing.indexOf("dur=") + 4)));
        }
    }

    @Test
    default void noRequestRunsBeforeItsSlotAndSlotsAreApart() {
        List<Served> served = new ArrayList<>();
        served.add(Served.of(to(server()).get("queue/slot")));
        for (int i = 0; i < 2; i++) {
            atOnce(MOST_HELD, "queue/slot").forEach(response -> served.add(Served.of(response)));
        }
        served.sort(Comparator.comparingLong(Served::slot));
        for (int i = 0; i < served.size(); i++) {
            Served each = served.get(i);
            assertThat(each.run()).as("%s", each).isGreaterThanOrEqualTo(each.slot() - CLOCKS_MICROS);
            if (i > 0) {
                assertThat(each.slot() - served.get(i - 1).slot())
                        .as("%s", each)
                        .isGreaterThanOrEqualTo(SLOT_MICROS);
            }
        }
        assertThat(served).filteredOn(each -> each.slot() > each.at()).isNotEmpty();
    }

    /** At least until the slot, and not longer than from the decision to the run. */
    @Test
    default void serverTimingSaysHowLongARequestWasHeld() {
        for (Response response : atOnce(1 + MOST_HELD, "queue/slot")) {
            Served each = Served.of(response);
            if (each.slot() == each.at()) {
                assertThat(response.header("Server-Timing")).isNull();
            } else {
                assertThat(each.heldMillis() * 1_000)
                        .as("%s", each)
                        .isBetween(
                                each.slot() - each.at() - CLOCKS_MICROS * 1.0,
                                each.run() - each.at() + CLOCKS_MICROS * 1.0);
            }
        }
    }

    @Test
    default void aRequestThatIsNotHeldHasNoServerTiming() {
        assertThat(to(server()).get("queue/never-held").header("Server-Timing")).isNull();
        assertThat(to(server()).get("queue/slot").header("Server-Timing")).isNull();
    }

    @Test
    default void neverAreMoreThreadsHeldThanConfigured() {
        CompletableFuture<List<Response>> all =
                CompletableFuture.supplyAsync(() -> atOnce(8, "queue/slow"), task -> new Thread(task).start());
        AtomicInteger most = new AtomicInteger();
        await().until(() -> {
            most.accumulateAndGet(threadsHeld(), Math::max);
            return all.isDone();
        });
        assertThat(most).hasValue(MOST_HELD);
        List<Response> rejected =
                all.join().stream().filter(each -> each.statusCode() != 200).toList();
        assertThat(rejected).isNotEmpty();
        for (Response each : rejected) {
            assertThat(each.statusCode()).isEqualTo(429);
            assertThat(each.violatedPolicies()).isEqualTo(List.of("slow"));
            assertThat(Integer.parseInt(each.header("Retry-After"))).isPositive();
            assertThat(each.header("Server-Timing")).isNull();
        }
    }

    private int threadsHeld() {
        return Integer.parseInt(to(server()).get("queue/threads").asString());
    }

    private List<Response> atOnce(int requests, String path) {
        ExecutorService clients = Executors.newFixedThreadPool(requests);
        try {
            List<CompletableFuture<Response>> running = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                running.add(CompletableFuture.supplyAsync(() -> to(server()).get(path), clients));
            }
            return running.stream().map(CompletableFuture::join).toList();
        } finally {
            clients.shutdown();
        }
    }
}
