package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.BoundedQueue;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.QueueCensus;
import dev.limiter.QueuePolicy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.Signals;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of decisions, and when. */
class MeasuredLimiterTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy ONE = Policy.of("one", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1));
    private static final Policy SOON = Policy.of("soon", Algorithm.GCRA, 1, Duration.ofMillis(1));
    private static final Policy FLIGHT = Policy.concurrency("flight", 1);
    private static final Group ASKED = Group.of(Demand.of(ONE, ALICE));

    private final LogLines lines = new LogLines("dev.limiter.decision");
    private final List<String> told = new ArrayList<>();
    private long longestNanos;
    private final Signals signals = new Signals() {
        @Override
        public void decided(Decision decision, long nanos) {
            assertThat(nanos).isNotNegative();
            longestNanos = Math.max(longestNanos, nanos);
            told.add(decision.admitted() ? "admitted" : "rejected");
        }

        @Override
        public void undecided(Group group, long nanos) {
            assertThat(nanos).isNotNegative();
            told.add("undecided");
        }
    };
    private final RateLimiter limiter = measured(new LocalRateLimiter());

    /** Its gauges ask the queue itself. */
    @Test
    void aQueueIsToldOfWhenSomebodyAsksForIt() {
        List<Supplier<QueueCensus>> censuses = new ArrayList<>();
        RateLimiter measured = new MeasuredLimiter(
                new LocalRateLimiter(),
                new Signals() {
                    @Override
                    public void queue(String name, Supplier<QueueCensus> census) {
                        assertThat(name).isEqualTo("orders");
                        censuses.add(census);
                    }
                },
                new RejectionLog(System::nanoTime));
        BoundedQueue queue = measured.queues().queue(QueuePolicy.of("orders", 1));
        queue.accept("fish");
        assertThat(censuses)
                .singleElement()
                .satisfies(census -> assertThat(census.get().length()).isEqualTo(1));
    }

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void eachDecisionIsTold() {
        limiter.acquire(ONE, ALICE);
        limiter.acquire(ONE, ALICE);
        assertThat(limiter.acquireEach(List.of(ASKED, Group.of(Demand.of(SOON, ALICE)))))
                .hasSize(2);
        assertThat(told).containsExactly("admitted", "rejected", "rejected", "admitted");
    }

    @Test
    void whoPeeksChargesOrGivesBackIsNotTold() {
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(ONE, ALICE);
        limiter.peek(ONE, ALICE);
        limiter.charge(ONE, ALICE, 1);
        limiter.refund(admission);
        limiter.reset(ONE, ALICE);
        assertThat(told).containsExactly("admitted");
    }

    /** That would count a request again for each third of a lease that it runs. */
    @Test
    void leasesThatAreRenewedAreNoDecisions() {
        Demand lease = Demand.ofLease(FLIGHT, ALICE, "job");
        limiter.acquire(Group.of(lease));
        assertThat(limiter.acquireEach(List.of(Group.of(lease))).get(0).admitted())
                .isTrue();
        assertThat(told).containsExactly("admitted");
    }

    @Test
    void whoWaitsIsToldOfOnce() throws InterruptedException {
        limiter.acquire(SOON, ALICE);
        assertThat(limiter.acquire(Group.of(Demand.of(SOON, ALICE)), Duration.ofMinutes(1))
                        .admitted())
                .isTrue();
        assertThat(told).containsExactly("admitted", "admitted");
        limiter.acquire(ONE, ALICE);
        limiter.acquire(ASKED, Duration.ZERO);
        assertThat(told).containsExactly("admitted", "admitted", "admitted", "rejected");
    }

    /** The latency of decisions would else be that of clients. */
    @Test
    void whatWasSleptIsNoLatency() throws InterruptedException {
        Policy later = Policy.of("later", Algorithm.GCRA, 1, Duration.ofMillis(500));
        limiter.acquire(later, ALICE);
        assertThat(limiter.acquire(Group.of(Demand.of(later, ALICE)), Duration.ofMinutes(1))
                        .admitted())
                .isTrue();
        assertThat(Duration.ofNanos(longestNanos)).isLessThan(Duration.ofMillis(400));
    }

    @Test
    void aStoreThatFailsIsToldAndStillFails() {
        RateLimiter down = measured(down());
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> down.acquire(ASKED));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> down.acquire(ASKED, Duration.ofSeconds(1)));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> down.acquireEach(List.of(ASKED, Group.of(Demand.of(FLIGHT, ALICE)))));
        assertThat(told).containsExactly("undecided", "undecided", "undecided");
    }

    @Test
    void aRejectionIsLogged() {
        limiter.acquire(ASKED);
        assertThat(lines.taken()).isEmpty();
        limiter.acquire(ASKED);
        assertThat(lines.taken()).hasSize(1).allMatch(line -> line.startsWith("INFO 1 rejected"));
    }

    private RateLimiter measured(RateLimiter plain) {
        return new MeasuredLimiter(plain, signals, new RejectionLog(() -> 0));
    }

    private static RateLimiter down() {
        return (RateLimiter) Proxy.newProxyInstance(
                RateLimiter.class.getClassLoader(), new Class<?>[] {RateLimiter.class}, (proxy, method, arguments) -> {
                    throw new StoreUnavailableException("down", null);
                });
    }
}
