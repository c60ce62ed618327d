package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A request that lasts longer than a lease keeps it, and gives it back at its end. */
@ExtendWith(ArquillianExtension.class)
class RenewalIT {
    private static final Duration LEASE = Duration.ofSeconds(3);
    /**
     * Longer than two leases: without renewal, or with a single one, the lease would have
     * expired.
     */
    private static final Duration LASTING = LEASE.multipliedBy(2);

    private static final Policy ONE_AT_A_TIME = Policy.of("lasting", Algorithm.CONCURRENCY, 1, LEASE);
    private static final List<String> KINDS = List.of("plain", "async", "stream");

    private final Charged charged = new Charged("lasting");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "lasting", Map.of("limiter.lease", LEASE.toSeconds() + "s"), "LastingResource", "Gate", "GateResource");
    }

    @Test
    void aRequestKeepsItsLeaseAsLongAsItRuns() {
        SharedRedis.empty();
        List<CompletableFuture<Response>> running;
        try (RecordedLeases recorded = SharedRedis.recordedLeases()) {
            running = KINDS.stream().map(this::started).toList();
            await().atMost(LASTING.multipliedBy(3))
                    .until(
                            recorded::expiries,
                            leases -> leases.size() == KINDS.size()
                                    && leases.values().stream().allMatch(RenewalIT::haveLasted));
            assertThat(recorded.expiries().values()).allSatisfy(RenewalIT::requireNoGap);
        }
        for (String kind : KINDS) {
            assertThat(get(kind).statusCode()).as("a second request, %s", kind).isEqualTo(429);
        }
        KINDS.forEach(kind -> to(server).put("gate"));
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
        return to(server).get("lasting/" + kind + '/' + kind);
    }

    private static boolean haveLasted(List<Long> expiries) {
        return micros(LASTING) < expiries.get(expiries.size() - 1) - expiries.get(0);
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
        return charged.units(ONE_AT_A_TIME, PartitionKey.of("path:kind", kind));
    }
}
