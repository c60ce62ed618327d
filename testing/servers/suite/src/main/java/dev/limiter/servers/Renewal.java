package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A request that lasts longer than a lease keeps it, and gives it back at its end. */
interface Renewal extends Topic {
    Duration LEASE = Duration.ofSeconds(3);

    Policy ONE_AT_A_TIME = Policy.of("lasting", Algorithm.CONCURRENCY, 1, LEASE);
    List<String> KINDS = List.of("plain", "async", "stream");

    @Test
    default void aRequestKeepsItsLeaseAsLongAsItRuns() {
        List<CompletableFuture<Response>> running;
        try (RecordedLeases recorded = SharedRedis.recordedLeases()) {
            running = KINDS.stream().map(this::started).toList();
            await().atMost(LEASE.multipliedBy(10))
                    .until(
                            recorded::expiries,
                            leases -> leases.size() == KINDS.size()
                                    && leases.values().stream().allMatch(Renewal::haveLasted));
            assertThat(recorded.expiries().values()).allSatisfy(Renewal::requireNoGap);
        }
        for (String kind : KINDS) {
            assertThat(get(kind).statusCode()).as("a second request, %s", kind).isEqualTo(429);
        }
        KINDS.forEach(kind -> to(server()).put("gate"));
        assertThat(running.stream().map(each -> each.join().asString()))
                .containsExactly("plain", "async", "first last");
        for (String kind : KINDS) {
            assertThat(leases(kind)).as("after the end, %s", kind).isZero();
        }
    }

    private CompletableFuture<Response> started(String kind) {
        return CompletableFuture.supplyAsync(() -> get(kind), task -> new Thread(task).start());
    }

    private Response get(String kind) {
        return to(server()).get("lasting/" + kind + '/' + kind);
    }

    /** By more than a lease: a single renewal adds a part of one. */
    private static boolean haveLasted(List<Long> expiries) {
        return micros(LEASE) < expiries.get(expiries.size() - 1) - expiries.get(0);
    }

    /** Each renewal came while the lease before it was still held. */
    private static void requireNoGap(List<Long> expiries) {
        for (int i = 1; i < expiries.size(); i++) {
            long renewed = expiries.get(i) - micros(LEASE);
            assertThat(renewed).as("renewal %s of %s", i, expiries).isLessThan(expiries.get(i - 1));
        }
    }

    private static long micros(Duration span) {
        return span.toNanos() / 1_000;
    }

    private long leases(String kind) {
        return charged().units(ONE_AT_A_TIME, PartitionKey.of("path:kind", kind));
    }
}
