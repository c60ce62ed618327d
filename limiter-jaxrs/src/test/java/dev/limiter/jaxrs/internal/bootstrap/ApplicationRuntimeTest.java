package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.request.RequestDecision;
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

    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null));

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

    @Test
    void itsThreadEnds() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        runtime.leases().hold((Decision.Admitted) runtime.limiter().acquire(FLIGHT, ALICE), true);
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
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofHours(1), Duration.ofHours(2));
        runtime.limiter().acquire(queue, ALICE);
        RequestState state = runtime.requests().begin(true);
        CheckGroup group = CheckGroup.of(Check.of(FLIGHT, ALICE), Check.of(queue, ALICE));
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() ->
                        runtime.evaluator().decide(state, new RequestDecision.Pending(List.of(), List.of(), group)));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(state.limits().decisions()).isEmpty();
        assertThat(runtime.leases().held()).isZero();
        assertThat(runtime.limiter().peek(FLIGHT, ALICE).remaining()).isEqualTo(2);
    }
}
