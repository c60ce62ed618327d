package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On a clock that the test moves; the pause of the real one is an hour, so that it never comes
 * in between.
 */
class LeaseRenewerTest {
    private static final Policy FLIGHT = Policy.concurrency("flight", 100);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final long LEASE_SECONDS = 30;
    private static final Duration LONGEST = Duration.ofHours(6);

    private final Clock clock = new Clock();
    private final Store store = new Store(new LocalRateLimiter(clock));
    private int expired;
    private final RequestSignals signals = new RequestSignals() {
        @Override
        public void happened(Incident incident) {
            expired += incident == Incident.LEASES_EXPIRED ? 1 : 0;
        }
    };
    private final LeaseRenewer leases =
            renewer(() -> store, Duration.ofHours(3), () -> new ScheduledThreadPoolExecutor(1));

    private RateLimiter fallback;

    @AfterEach
    void close() {
        leases.close();
    }

    @Test
    void aLeaseLastsAsLongAsItIsRenewedAndIsGoneWhenItIsReleased() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        for (int third = 0; third < 10; third++) {
            clock.advance(LEASE_SECONDS / 3);
            leases.renew();
            assertThat(inFlight()).isEqualTo(1);
        }
        held.release();
        assertThat(inFlight()).isZero();
        held.release();
        assertThat(leases.held()).isZero();
    }

    /** Its request hangs, or the server has not reported its end. */
    @Test
    void aLeaseIsRenewedUntilTheLongestTimeAndThenGivenBack() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        for (long seconds = 0; seconds < LONGEST.toSeconds(); seconds += LEASE_SECONDS / 3) {
            leases.renew();
            clock.advance(LEASE_SECONDS / 3);
        }
        LeaseRenewer.HeldLease younger = leases.hold(admitted(), true);
        leases.renew();
        assertThat(inFlight()).isEqualTo(2);
        assertThat(leases.held()).isEqualTo(2);
        assertThat(leases.oldestSeconds()).isEqualTo(LONGEST.toSeconds());
        clock.advance(1);
        leases.renew();
        assertThat(inFlight()).isEqualTo(1);
        assertThat(leases.held()).isEqualTo(1);
        assertThat(leases.oldestSeconds()).isEqualTo(1);
        assertThat(expired).isEqualTo(1);
        held.release();
        assertThat(inFlight()).isEqualTo(1);
        younger.release();
        leases.renew();
        assertThat(inFlight()).isZero();
        assertThat(leases.oldestSeconds()).isZero();
        assertThat(expired).as("in all").isEqualTo(1);
        assertThat(store.refunds).hasSize(2);
    }

    /** Also where one line of the log stands for all of them. */
    @Test
    void eachLeaseThatIsGivenUpIsHeardOf() {
        leases.hold(admitted(), true);
        leases.hold(admitted(), true);
        clock.advance(LONGEST.toSeconds() + 1);
        leases.renew();
        assertThat(expired).isEqualTo(2);
    }

    /** It is as spent as if its request had ended: the store is not told again. */
    @Test
    void aLeaseThatEndsWhileItIsGivenUpIsCountedOnce() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        clock.advance(LONGEST.toSeconds() + 1);
        held.release();
        leases.renew();
        assertThat(expired).isZero();
        assertThat(store.refunds).hasSize(1);
    }

    @Test
    void aLeaseWithoutACertainReleaseIsNotRenewed() {
        leases.hold(admitted(), false);
        assertThat(leases.held()).isZero();
        clock.advance(LEASE_SECONDS - 1);
        leases.renew();
        assertThat(inFlight()).isEqualTo(1);
        clock.advance(1);
        assertThat(inFlight()).isZero();
    }

    @Test
    void manyAreRenewedInOneCall() {
        for (int request = 0; request < 100; request++) {
            leases.hold(admitted(), true);
        }
        clock.advance(LEASE_SECONDS - 1);
        leases.renew();
        clock.advance(LEASE_SECONDS - 1);
        assertThat(inFlight()).isEqualTo(100);
        assertThat(store.renewals).as("64 share a round trip").isEqualTo(2);
    }

    @Test
    void aCallThatFailsKeepsNoneOfTheOthersFromIt() {
        for (int request = 0; request < 100; request++) {
            leases.hold(admitted(), true);
        }
        clock.advance(LEASE_SECONDS - 1);
        store.beforeRenewal = () -> {
            store.beforeRenewal = () -> {};
            throw new StoreUnavailableException("down for a moment", null);
        };
        leases.renew();
        clock.advance(LEASE_SECONDS - 1);
        assertThat(inFlight()).isEqualTo(36);
    }

    /**
     * The renewal is on its way when the request ends: it takes the lease again, and must give
     * it back.
     */
    @Test
    void aRenewalThatCrossesTheReleaseLeavesNothing() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        store.beforeRenewal = held::release;
        leases.renew();
        assertThat(store.renewals).isEqualTo(1);
        assertThat(inFlight()).isZero();
    }

    /**
     * The other way round: the release comes when the renewal has been decided and has not been
     * told yet.
     */
    @Test
    void aReleaseThatCrossesTheRenewalLeavesNothing() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        store.afterRenewal = held::release;
        leases.renew();
        assertThat(inFlight()).isZero();
    }

    @Test
    void aStoreThatFailsFindsThemAgainTheNextTime() {
        leases.hold(admitted(), true);
        clock.advance(LEASE_SECONDS / 3);
        store.beforeRenewal = () -> {
            throw new StoreUnavailableException("down", null);
        };
        leases.renew();
        assertThat(leases.held()).isEqualTo(1);
        store.beforeRenewal = () -> {};
        clock.advance(LEASE_SECONDS / 3);
        leases.renew();
        clock.advance(LEASE_SECONDS - 1);
        assertThat(inFlight()).isEqualTo(1);
    }

    /** Taken in the store, renewed without it, released when it is back: gone in both. */
    @Test
    void aLeaseThatTheFallbackRenewedIsGivenBackInTheStoreToo() {
        FailingStore down = new FailingStore(store);
        try (LeaseRenewer over = over(down)) {
            LeaseRenewer.HeldLease held = over.hold((Decision.Admitted) fallback.acquire(FLIGHT, ALICE), true);
            down.fails = true;
            over.renew();
            down.fails = false;
            assertThat(inFlight()).isEqualTo(1);
            held.release();
            assertThat(inFlight()).isZero();
            down.fails = true;
            assertThat(fallback.peek(FLIGHT, ALICE).remaining()).isEqualTo(100);
        }
    }

    /** Taken without the store, renewed in it: the release is of what was taken last. */
    @Test
    void aLeaseThatMovedToTheStoreIsGivenBackThere() {
        FailingStore down = new FailingStore(store);
        try (LeaseRenewer over = over(down)) {
            down.fails = true;
            LeaseRenewer.HeldLease held = over.hold((Decision.Admitted) fallback.acquire(FLIGHT, ALICE), true);
            down.fails = false;
            over.renew();
            assertThat(inFlight()).isEqualTo(1);
            held.release();
            assertThat(inFlight()).isZero();
            down.fails = true;
            assertThat(fallback.peek(FLIGHT, ALICE).remaining()).isEqualTo(100);
        }
    }

    /**
     * CLOSED leases cannot be renewed then. LOCAL ones can, and must, or the mirror would admit
     * more than the limit.
     */
    @Test
    void aStoreThatFailsKeepsOnlyTheClosedOnesFromBeingRenewed() {
        FailingStore down = new FailingStore(store);
        Policy local = FLIGHT.whenStoreFails(OnStoreFailure.LOCAL);
        Policy closed = Policy.concurrency("closed", 100).whenStoreFails(OnStoreFailure.CLOSED);
        try (LeaseRenewer over = over(down)) {
            List<LeaseRenewer.HeldLease> held = new ArrayList<>();
            for (Policy policy : List.of(closed, local, closed, local)) {
                held.add(over.hold((Decision.Admitted) fallback.acquire(policy, ALICE), true));
            }
            down.fails = true;
            over.renew();
            down.fails = false;
            held.forEach(LeaseRenewer.HeldLease::release);
            down.fails = true;
            assertThat(fallback.peek(local, ALICE).remaining())
                    .as("what the fallback renewed is given back in its mirror")
                    .isEqualTo(100);
        }
    }

    /**
     * A request that two limits count has lost the lease of one, whose place is taken: the other
     * one counts on.
     */
    @Test
    void aLeaseThatIsLostKeepsNoOtherOfItsRequestFromBeingRenewed() {
        Policy single = Policy.concurrency("single", 1);
        leases.hold(
                (Decision.Admitted) store.acquire(CheckGroup.of(Check.of(FLIGHT, ALICE), Check.of(single, ALICE))),
                true);
        store.reset(single, ALICE);
        store.acquire(single, ALICE);
        clock.advance(LEASE_SECONDS - 1);
        leases.renew();
        clock.advance(LEASE_SECONDS - 1);
        assertThat(inFlight()).isEqualTo(1);
    }

    @Test
    void theLeasesOfARequestAreGivenBackInOneCall() {
        Policy other = Policy.concurrency("other", 5);
        LeaseRenewer.HeldLease held = leases.hold(
                (Decision.Admitted) store.acquire(CheckGroup.of(Check.of(FLIGHT, ALICE), Check.of(other, ALICE))),
                true);
        assertThat(leases.held()).isEqualTo(2);
        held.release();
        assertThat(store.refunds)
                .singleElement(InstanceOfAssertFactories.list(Check.class))
                .extracting(Check::policy)
                .containsExactly(FLIGHT, other);
        assertThat(inFlight()).isZero();
        assertThat(store.peek(other, ALICE).remaining()).isEqualTo(5);
        assertThat(leases.held()).isZero();
    }

    /**
     * The node of another lease is down; this one has been renewed after its release, and must
     * be given back.
     */
    @Test
    void aRenewalThatCrossesTheReleaseLeavesNothingAlsoWhereAnotherFails() {
        LeaseRenewer.HeldLease held = leases.hold(admitted(), true);
        store.beforeRenewal = held::release;
        store.failsWithDecisions = true;
        leases.renew();
        assertThat(store.renewals).isEqualTo(1);
        assertThat(inFlight()).isZero();
    }

    /** Two renewals may fail before a lease expires. */
    @Test
    void aLeaseIsRenewedEveryThirdOfItsLength() {
        Timetable timetable = new Timetable();
        try (LeaseRenewer timed = renewer(() -> store, Duration.ofSeconds(LEASE_SECONDS), () -> timetable)) {
            timed.hold(admitted(), true);
            for (int second = 1; second <= 3 * LEASE_SECONDS; second++) {
                clock.advance(1);
                timetable.advance(1_000);
                assertThat(store.renewals).as("after %s s", second).isEqualTo(second / 10);
            }
            assertThat(inFlight()).isEqualTo(1);
        }
    }

    /** An exception would end all further renewals, and so would an error. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anUnexpectedFailureDoesNotEndTheRenewals(boolean error) {
        Timetable timetable = new Timetable();
        try (LeaseRenewer timed = renewer(() -> store, Duration.ofSeconds(LEASE_SECONDS), () -> timetable)) {
            timed.hold(admitted(), true);
            store.beforeRenewal = () -> {
                if (error) {
                    throw new OutOfMemoryError("for a moment");
                }
                throw new IllegalStateException("unexpected");
            };
            timetable.advance(10_000);
            store.beforeRenewal = () -> {};
            timetable.advance(10_000);
            assertThat(store.renewals).isEqualTo(1);
        }
    }

    /** The last request may end after its application. */
    @Test
    void whatIsHeldAfterTheEndIsNotRenewed() {
        leases.close();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        leases.hold(admitted(), true);
        assertThat(Thread.getAllStackTraces().keySet())
                .as("a thread that nobody ends")
                .noneMatch(thread -> thread.getName().equals("limiter-leases") && !before.contains(thread));
    }

    private LeaseRenewer over(FailingStore down) {
        fallback = new FallbackRateLimiter(down, OnStoreFailure.LOCAL, 1, Signals.NONE);
        return renewer(() -> fallback, Duration.ofHours(3), () -> new ScheduledThreadPoolExecutor(1));
    }

    private LeaseRenewer renewer(
            Supplier<RateLimiter> limiter, Duration lease, Supplier<ScheduledExecutorService> threads) {
        return new LeaseRenewer(
                limiter,
                new StoreFailureLog(),
                () -> signals,
                lease,
                LONGEST,
                () -> TimeUnit.SECONDS.toNanos(clock.instant().getEpochSecond()),
                threads);
    }

    private Decision.Admitted admitted() {
        return (Decision.Admitted) store.acquire(FLIGHT, ALICE);
    }

    private long inFlight() {
        return FLIGHT.limit() - store.peek(FLIGHT, ALICE).remaining();
    }

    private static final class Clock implements InstantSource {
        private Instant now = Instant.ofEpochSecond(1_700_000_000);

        void advance(long seconds) {
            now = now.plusSeconds(seconds);
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    /** Runs its only task when the time has come, on the thread of the test. */
    private static final class Timetable extends ScheduledThreadPoolExecutor {
        private Runnable task;
        private long pauseMillis;
        private long leftMillis;

        Timetable() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long first, long pause, TimeUnit unit) {
            task = work;
            leftMillis = unit.toMillis(first);
            pauseMillis = unit.toMillis(pause);
            return null;
        }

        void advance(long millis) {
            leftMillis -= millis;
            while (leftMillis <= 0) {
                leftMillis += pauseMillis;
                task.run();
            }
        }
    }

    /** A limiter that runs code of the test at renewals. */
    private static final class Store extends Layer {
        private Runnable beforeRenewal = () -> {};
        private Runnable afterRenewal = () -> {};
        private boolean failsWithDecisions;
        private int renewals;
        private final List<List<Check>> refunds = new ArrayList<>();

        Store(RateLimiter limiter) {
            super(limiter);
        }

        @Override
        public <A> A answer(Ask<A> ask) {
            if (ask instanceof Ask.GiveBack) {
                refunds.add(ask.checks());
            }
            if (!(ask instanceof Ask.AcquireEach)) {
                return next.answer(ask);
            }
            beforeRenewal.run();
            renewals++;
            A answer = next.answer(ask);
            afterRenewal.run();
            return failsWithDecisions
                    ? ask.is(new GroupDecisions(
                            ((GroupDecisions) answer).made(), new StoreUnavailableException("a node is down", null)))
                    : answer;
        }
    }
}
