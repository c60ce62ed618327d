package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The reports of decisions with their durations. A call of the store takes 3 ms. */
class MeteredRateLimiterTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy ONE = Policy.of("one", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1));
    private static final Policy SOON = Policy.of("soon", Algorithm.GCRA, 1, Duration.ofMillis(1));
    private static final Policy LATER = Policy.of("later", Algorithm.GCRA, 1, Duration.ofMillis(500));
    private static final Policy FLIGHT = Policy.concurrency("flight", 1);
    private static final CheckGroup ASKED = CheckGroup.of(Check.of(ONE, ALICE));

    private final LogLines lines = new LogLines("dev.limiter.decision");
    private final List<String> told = new ArrayList<>();
    private long nowNanos;
    /** Runs while a caller sleeps. */
    private Runnable asleep = () -> {};

    private final Signals signals = new Signals() {
        @Override
        public void decided(Decision decision, long nanos) {
            told.add((decision.admitted() ? "admitted after " : "rejected after ") + millis(nanos));
        }

        @Override
        public void undecided(CheckGroup group, long nanos) {
            told.add("undecided after " + millis(nanos));
        }
    };
    private final Slow slow = new Slow();
    private final RateLimiter limiter = measured(slow);

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void eachDecisionIsTold() {
        limiter.acquire(ONE, ALICE);
        limiter.acquire(ONE, ALICE);
        assertThat(limiter.acquireEach(List.of(ASKED, CheckGroup.of(Check.of(SOON, ALICE)))))
                .hasSize(2);
        assertThat(told)
                .containsExactly(
                        "admitted after 3 ms", "rejected after 3 ms", "rejected after 3 ms", "admitted after 3 ms");
    }

    /** Extensions find the signals here, such as queues for their gauges. */
    @Test
    void anExtensionFindsTheSignals() {
        assertThat(limiter.unwrap(Signals.class)).containsSame(signals);
        assertThat(limiter.unwrap(Slow.class)).containsSame(slow);
        assertThat(limiter.unwrap(String.class)).isEmpty();
    }

    @Test
    void peeksChargesAndRefundsAreNotReported() {
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(ONE, ALICE);
        limiter.peek(ONE, ALICE);
        limiter.charge(ONE, ALICE, 1);
        limiter.refund(admission);
        limiter.reset(ONE, ALICE);
        assertThat(told).containsExactly("admitted after 3 ms");
    }

    /** That would count a request again for each third of a lease that it runs. */
    @Test
    void leasesThatAreRenewedAreNoDecisions() {
        Check lease = Check.ofLease(FLIGHT, ALICE, "job");
        limiter.acquire(CheckGroup.of(lease));
        assertThat(limiter.acquireEach(List.of(CheckGroup.of(lease))).get(0).admitted())
                .isTrue();
        assertThat(told).containsExactly("admitted after 3 ms");
    }

    /** The sleep of 497 ms does not count: otherwise the latency would be that of clients. */
    @Test
    void aWaitingCallerIsReportedOnceWithoutItsSleep() throws InterruptedException {
        limiter.acquire(LATER, ALICE);
        assertThat(limiter.acquire(CheckGroup.of(Check.of(LATER, ALICE)), Duration.ofMinutes(1))
                        .admitted())
                .isTrue();
        assertThat(told).containsExactly("admitted after 3 ms", "admitted after 6 ms");
        limiter.acquire(ONE, ALICE);
        limiter.acquire(ASKED, Duration.ZERO);
        assertThat(told)
                .containsExactly(
                        "admitted after 3 ms", "admitted after 6 ms", "admitted after 3 ms", "rejected after 3 ms");
    }

    /**
     * Another caller takes what it waited for: it sleeps twice, for 997 ms in all, and is told
     * of three calls.
     */
    @Test
    void twoWaitsAreReportedWithoutBothSleeps() throws InterruptedException {
        limiter.acquire(LATER, ALICE);
        asleep = () -> {
            asleep = () -> {};
            slow.acquire(CheckGroup.of(Check.of(LATER, ALICE)));
        };
        assertThat(limiter.acquire(CheckGroup.of(Check.of(LATER, ALICE)), Duration.ofMinutes(1))
                        .admitted())
                .isTrue();
        assertThat(told).containsExactly("admitted after 3 ms", "admitted after 9 ms");
    }

    @Test
    void aStoreThatFailsIsToldAndStillFails() {
        slow.fails = true;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(ASKED));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(ASKED, Duration.ofSeconds(1)));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(List.of(ASKED, CheckGroup.of(Check.of(FLIGHT, ALICE)))));
        assertThat(told).containsExactly("undecided after 3 ms", "undecided after 3 ms", "undecided after 3 ms");
    }

    @Test
    void aFailureWhileACallerWaitsIsReportedWithoutTheSleep() {
        limiter.acquire(LATER, ALICE);
        asleep = () -> slow.fails = true;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(CheckGroup.of(Check.of(LATER, ALICE)), Duration.ofMinutes(1)));
        assertThat(told).containsExactly("admitted after 3 ms", "undecided after 6 ms");
    }

    /** One of several groups needs a node that is down. */
    @Test
    void whatWasDecidedBesideWhatWasNotIsToldAsADecision() {
        slow.away = ONE;
        List<CheckGroup> groups = List.of(
                CheckGroup.of(Check.of(SOON, ALICE)),
                ASKED,
                CheckGroup.of(Check.of(SOON, ALICE)),
                CheckGroup.of(Check.of(LATER, ALICE)));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquireEach(groups));
        assertThat(told)
                .containsExactly(
                        "admitted after 3 ms", "undecided after 3 ms", "rejected after 3 ms", "admitted after 3 ms");
        assertThat(lines.taken()).hasSize(1).allMatch(line -> line.startsWith("INFO 1 rejected"));
    }

    @Test
    void aRejectionIsLogged() {
        limiter.acquire(ASKED);
        assertThat(lines.taken()).isEmpty();
        limiter.acquire(ASKED);
        assertThat(lines.taken()).hasSize(1).allMatch(line -> line.startsWith("INFO 1 rejected"));
    }

    private RateLimiter measured(RateLimiter plain) {
        RateLimiter waiting = new BlockingAcquire(plain, () -> nowNanos / 1_000, span -> {
            nowNanos += span.toNanos();
            asleep.run();
        });
        return new MeteredRateLimiter(waiting, signals, new RejectionLog(() -> 0), () -> nowNanos);
    }

    private static String millis(long nanos) {
        return nanos / 1e6 % 1 == 0 ? nanos / 1_000_000 + " ms" : nanos + " ns";
    }

    /** A store that takes its time, and fails when it is told to. */
    private final class Slow extends FailingStore {
        /** Whose node is down. */
        private Policy away;

        Slow() {
            super(new LocalRateLimiter(() -> Instant.EPOCH.plusNanos(nowNanos)));
        }

        @Override
        protected RateLimiter answering() {
            nowNanos += 3_000_000;
            return super.answering();
        }

        @Override
        public <A> A answer(Ask<A> ask) {
            if (away == null || !(ask instanceof Ask.AcquireEach each)) {
                return super.answer(ask);
            }
            RateLimiter answering = answering();
            return ask.is(GroupDecisions.oneByOne(each.groups(), group -> {
                if (group.checks().stream().anyMatch(check -> check.policy().equals(away))) {
                    throw new StoreUnavailableException("a node is down", null);
                }
                return answering.acquire(group);
            }));
        }
    }
}
