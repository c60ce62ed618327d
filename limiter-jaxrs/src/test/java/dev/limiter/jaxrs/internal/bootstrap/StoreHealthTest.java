package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.signals.StoreState;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

/**
 * The limiter is ready unless its limits cannot be put in force, and shows the state of its
 * store.
 */
class StoreHealthTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T20:00:00Z"));
    private final StoreState store = new StoreState(now::get);

    /**
     * Limits are in memory: the check must not report a Redis that is not configured as
     * reachable.
     */
    @Test
    void withoutAStoreNoneIsReachable() {
        assertThat(data()).isEqualTo(Map.of("store", "none"));
    }

    @Test
    void aStoreThatNeverFailedIsReachable() {
        store.fallbackPartitions(() -> 0);
        assertThat(data()).isEqualTo(Map.of("store", "reachable"));
    }

    @Test
    void aNodeThatIsGivenUpSaysWhySinceWhenAndIsNoReasonToGoDown() {
        store.breaker("a:6379", true, "timed out");
        assertThat(data())
                .isEqualTo(Map.of(
                        "store", "unreachable",
                        "a:6379", "unreachable",
                        "a:6379 since", "2026-11-21T20:00:00Z",
                        "a:6379 reason", "timed out"));
    }

    @Test
    void aNodeThatIsBackSaysSinceWhen() {
        store.breaker("a:6379", true, "timed out");
        store.breaker("b:6379", true, "refused");
        now.set(Instant.parse("2026-11-21T20:01:00Z"));
        store.breaker("a:6379", false, "");
        assertThat(data())
                .containsEntry("store", "unreachable")
                .containsEntry("a:6379", "reachable")
                .containsEntry("a:6379 since", "2026-11-21T20:01:00Z")
                .doesNotContainKey("a:6379 reason");
        store.breaker("b:6379", false, "");
        assertThat(data()).containsEntry("store", "reachable");
    }

    /** A dead master whose replica was promoted: it does not answer, and need not. */
    @Test
    void ofANodeThatIsNotAskedAnyMoreNothingIsSaid() {
        store.breaker("a:6379", true, "refused");
        store.fallbackPartitions(() -> 0);
        store.breaker("a:6379", false, "nothing is kept there");
        assertThat(data()).isEqualTo(Map.of("store", "reachable"));
    }

    /** A server may go on with an application whose every request is refused. */
    @Test
    void limitsThatCannotBePutInForceAreAReasonToGoDown() {
        HealthCheckResponse response = StoreHealth.response(store, true);
        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(response.getData().orElseThrow()).containsEntry("limits", "not in force");
    }

    private Map<String, Object> data() {
        HealthCheckResponse response = StoreHealth.response(store, false);
        assertThat(response.getName()).isEqualTo("rate-limiter");
        assertThat(response.getStatus()).isEqualTo(HealthCheckResponse.Status.UP);
        return response.getData().orElseThrow();
    }
}
