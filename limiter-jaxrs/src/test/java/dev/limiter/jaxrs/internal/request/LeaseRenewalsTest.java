package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.local.LocalRateLimiter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Renewals of leases by the real clock. Each test waits for renewals, not for a span. */
class LeaseRenewalsTest {
    private static final Policy FLIGHT = Policy.concurrency("flight", 100);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final long LEASE_MILLIS = 600;

    private final RateLimiter memory = new LocalRateLimiter();
    private final BlockingQueue<Long> renewedNanos = new LinkedBlockingQueue<>();
    private volatile RuntimeException thrown;

    /** Records the instants of renewals, and throws if the test says so. */
    private final RateLimiter store = (RateLimiter) Proxy.newProxyInstance(
            RateLimiter.class.getClassLoader(), new Class<?>[] {RateLimiter.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("acquireEach")) {
                    renewedNanos.add(System.nanoTime());
                    RuntimeException now = thrown;
                    if (now != null) {
                        throw now;
                    }
                }
                try {
                    return method.invoke(memory, arguments);
                } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                }
            });

    private final LeaseRenewer leases = new LeaseRenewer(
            () -> store,
            new StoreFailureLog(),
            () -> RequestSignals.NONE,
            Duration.ofMillis(LEASE_MILLIS),
            Duration.ofHours(6));

    @AfterEach
    void close() {
        leases.close();
    }

    private LeaseRenewer.HeldLease hold() {
        return leases.hold((Decision.Admitted) memory.acquire(CheckGroup.of(Check.of(FLIGHT, ALICE))), true);
    }

    private long next() throws InterruptedException {
        Long nanos = renewedNanos.poll(30, TimeUnit.SECONDS);
        assertThat(nanos).as("another renewal").isNotNull();
        return nanos;
    }

    /** A machine that is busy makes spans longer, so the shortest is what is meant. */
    @Test
    void aLeaseIsRenewedSeveralTimesBeforeItWouldExpire() throws InterruptedException {
        hold();
        long shortest = Long.MAX_VALUE;
        long before = next();
        for (int i = 0; i < 20 && shortest > TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS / 2); i++) {
            long now = next();
            shortest = Math.min(shortest, now - before);
            before = now;
        }
        assertThat(TimeUnit.NANOSECONDS.toMillis(shortest)).isLessThanOrEqualTo(LEASE_MILLIS / 2);
    }

    @Test
    void anUnexpectedExceptionEndsNoRenewals() throws InterruptedException {
        thrown = new IllegalStateException("a mistake of a limiter");
        hold();
        next();
        next();
        thrown = null;
        next();
        next();
    }

    @Test
    void whatIsReleasedIsNotRenewedAndTheOthersAre() throws InterruptedException {
        LeaseRenewer.HeldLease first = hold();
        hold();
        next();
        first.release();
        assertThat(leases.held()).isEqualTo(1);
        next();
        assertThat(memory.peek(FLIGHT, ALICE).remaining()).isEqualTo(99);
    }

    /** Each lease goes by its own result, not by that of the first one. */
    @Test
    void eachLeaseIsRenewedByItsOwnAnswer() {
        List<LeaseRenewer.HeldLease> held = List.of(hold(), hold(), hold());
        leases.renew();
        leases.renew();
        assertThat(memory.peek(FLIGHT, ALICE).remaining()).isEqualTo(97);
        held.get(1).release();
        assertThat(memory.peek(FLIGHT, ALICE).remaining()).isEqualTo(98);
        leases.renew();
        held.get(0).release();
        held.get(2).release();
        assertThat(memory.peek(FLIGHT, ALICE).remaining()).isEqualTo(100);
        assertThat(leases.held()).isZero();
    }

    @Test
    void theThreadThatRenewsKeepsNoApplicationRunning() throws InterruptedException {
        hold();
        next();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("limiter-leases"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }
}
