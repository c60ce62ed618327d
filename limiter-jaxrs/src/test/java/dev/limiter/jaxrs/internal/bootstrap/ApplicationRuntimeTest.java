package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import dev.limiter.jaxrs.internal.request.RequestState;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The end of an application without CDI, and of an interrupted request: neither leaves anything
 * behind.
 */
class ApplicationRuntimeTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy FLIGHT = Policy.concurrency("flight", 2);

    private final MapSettings settings = new MapSettings()
            .with("limiter.policy.flight.key", "'all'")
            .with("limiter.policy.flight.algorithm", "CONCURRENCY")
            .with("limiter.policy.flight.limit", "2")
            .with("limiter.policy.queue.key", "'all'")
            .with("limiter.policy.queue.algorithm", "LEAKY_BUCKET")
            .with("limiter.policy.queue.limit", "1")
            .with("limiter.policy.queue.window", "1h")
            .with("limiter.policy.queue.max-wait", "2h");
    private final ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));

    @AfterEach
    void close() {
        runtime.close();
        runtime.limiter().close();
    }

    @Test
    void whatAsksItIsTakenBack() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try {
            runtime.signals().breaker("ending:6379", true, "refused");
            assertThat(registry.find("limiter.breaker.open")
                            .tag("node", "ending:6379")
                            .gauge())
                    .isNotNull();
            runtime.close();
            assertThat(registry.find("limiter.breaker.open")
                            .tag("node", "ending:6379")
                            .gauge())
                    .isNull();
        } finally {
            Metrics.removeRegistry(registry);
            Metrics.globalRegistry.clear();
        }
    }

    /** Its first request may come in an outage, and an alert needs an increase. */
    @Test
    void theMetersOfAPolicyAreThereBeforeItsFirstRequest() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Metrics.addRegistry(registry);
        try (ApplicationRuntime deployed = new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}))) {
            deployed.prepare();
            assertThat(registry.getMeters().stream()
                            .filter(each -> "flight".equals(each.getId().getTag("policy"))))
                    .as("outcomes, reasons of a quota, and four others")
                    .hasSize(8 + 4 + 4)
                    .allMatch(each -> each.measure().iterator().next().getValue() == 0);
        } finally {
            Metrics.removeRegistry(registry);
            Metrics.globalRegistry.clear();
        }
    }

    @Test
    void itsThreadEnds() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        runtime.requests().leases().hold((Decision.Admitted) runtime.limiter().acquire(FLIGHT, ALICE), true);
        Set<Thread> started = new HashSet<>(Thread.getAllStackTraces().keySet());
        started.removeIf(thread -> before.contains(thread) || !thread.getName().equals("limiter-leases"));
        assertThat(started).hasSize(1);
        runtime.close();
        for (Thread thread : started) {
            thread.join(Duration.ofSeconds(20).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
    }

    /**
     * Servers interrupt waiting threads when they stop. Such a request has not run, and holds no
     * lease.
     */
    @Test
    void anInterruptedHeldRequestHoldsNothing() {
        BoundLimit queue = bound("queue");
        runtime.limiter().acquire(queue.policy(), ALICE);
        RequestState state = runtime.requests().begin(true);
        List<BoundLimit> asked = List.of(bound("flight"), queue);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> runtime.requests().evaluator().acquire(state, asked));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(state.limits().decisions()).isEmpty();
        assertThat(runtime.requests().leases().held()).isZero();
        assertThat(runtime.limiter().peek(FLIGHT, ALICE).remaining()).isEqualTo(2);
    }

    private BoundLimit bound(String policy) {
        return BoundLimit.of(Limit.of(runtime.policies().named(policy)), ALICE, null);
    }
}
