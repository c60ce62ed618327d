package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.internal.store.Receipt;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Renews the leases of running requests every third of their length, by asking for them again.
 * So a request counts as long as it runs, and does not if its process is killed. Each lease is
 * renewed by itself: a lost lease, or a node that is down, does not stop the renewal of the
 * others. Only leases whose release is certain are renewed; others expire, since they could
 * otherwise count for ever. None is renewed beyond a longest time: the request may hang, or its
 * server may not have reported its end.
 */
public final class LeaseRenewer implements AutoCloseable {
    /** How long a lease lasts without renewal. */
    public static final Setting<Duration> LEASE = Setting.duration("limiter.lease", "30s", "1s", "1h");

    /** For how long the shortest lease is renewed at most. */
    public static final Setting<Duration> LONGEST = longest(Duration.ofSeconds(1));

    private final Supplier<RateLimiter> limiter;
    private final StoreFailureLog failures;
    private final Supplier<RequestSignals> signals;
    private final LongSupplier nanos;
    private final Supplier<ScheduledExecutorService> threads;
    private final Set<Lease> toRenew = ConcurrentHashMap.newKeySet();
    private final LogThrottle tooLong;
    private final long pauseMillis;
    private final Duration longest;
    private ScheduledExecutorService clock;
    private boolean closed;

    /** For how long a lease is renewed at most, unless changed for a long download. */
    public static Setting<Duration> longest(Duration lease) {
        return Setting.duration("limiter.lease.longest", "6h", DurationNotation.format(lease), "30d");
    }

    /**
     * @param signals receives leases that were held for too long
     * @param lease how long a lease lasts without renewal
     * @param longest how long a lease is renewed at most
     */
    public LeaseRenewer(
            Supplier<RateLimiter> limiter,
            StoreFailureLog failures,
            Supplier<RequestSignals> signals,
            Duration lease,
            Duration longest) {
        this(limiter, failures, signals, lease, longest, System::nanoTime, LeaseRenewer::oneThread);
    }

    /**
     * @param nanos a clock that does not step, in ns
     * @param threads runs the renewals; asked once, when there is something to renew
     */
    LeaseRenewer(
            Supplier<RateLimiter> limiter,
            StoreFailureLog failures,
            Supplier<RequestSignals> signals,
            Duration lease,
            Duration longest,
            LongSupplier nanos,
            Supplier<ScheduledExecutorService> threads) {
        this.limiter = limiter;
        this.failures = failures;
        this.signals = signals;
        this.pauseMillis = lease.toMillis() / 3;
        this.longest = longest;
        this.nanos = nanos;
        this.tooLong = new LogThrottle(nanos);
        this.threads = threads;
    }

    /** Leases of one decision, until they are released. */
    public final class HeldLease {
        private final List<Lease> leases;

        private HeldLease(List<Lease> leases) {
            this.leases = leases;
        }

        /**
         * Gives them back; a second time does nothing. One that cannot be given back expires by
         * itself.
         */
        void release() {
            end(leases);
        }
    }

    /** Gives leases back; false if that has been done before. */
    private boolean end(List<Lease> leases) {
        List<Receipt> taken = new ArrayList<>(leases.size());
        for (Lease lease : leases) {
            toRenew.remove(lease);
            taken.addAll(lease.end());
        }
        if (!taken.isEmpty()) {
            giveBack(Receipt.joined(taken)); // one call gives them all back
        }
        return !taken.isEmpty();
    }

    /** One lease, until it is released. */
    private static final class Lease {
        private final Check check;
        private final long sinceNanos;
        /** Of the last admission by the store; null if there is none. */
        private Receipt inStore;
        /** Of the admission by the fallback since; null if there is none. */
        private Receipt inFallback;

        private boolean released;

        Lease(Check check, Decision.Admitted admission, long sinceNanos) {
            this.check = check;
            this.sinceNanos = sinceNanos;
            keep(admission);
        }

        /** Ends the lease, and returns what to give back; nothing a second time. */
        synchronized List<Receipt> end() {
            if (released) {
                return List.of();
            }
            released = true;
            return Stream.of(inStore, inFallback).filter(Objects::nonNull).toList();
        }

        /**
         * Keeps a renewal, unless the lease was released meanwhile; returns whether it was kept.
         */
        synchronized boolean kept(Decision.Admitted admission) {
            if (!released) {
                keep(admission);
            }
            return !released;
        }

        /**
         * Keeps an admission. Store and fallback can both hold a lease, and both have to be told
         * of its end.
         */
        private void keep(Decision.Admitted admission) {
            if (admission.fallback()) {
                inFallback = admission.receipt();
            } else {
                inStore = admission.receipt();
                inFallback = null;
            }
        }
    }

    /**
     * @param admission what was admitted, of its policies only those that lease
     * @param renew whether its release is certain
     */
    public HeldLease hold(Decision.Admitted admission, boolean renew) {
        List<Check> checks = admission.receipt().checks();
        long now = nanos.getAsLong();
        HeldLease held = new HeldLease(
                checks.size() == 1
                        ? List.of(new Lease(checks.get(0), admission, now))
                        : checks.stream()
                                .map(check -> new Lease(check, admission.only(check.policy()::equals), now))
                                .toList());
        if (renew && !checks.isEmpty()) {
            toRenew.addAll(held.leases);
            start();
        }
        return held;
    }

    /**
     * Renews all held leases, many in one round trip. A failure of one does not stop the others.
     * Leases that have been held for too long end instead.
     */
    void renew() {
        long now = nanos.getAsLong();
        toRenew.stream()
                .filter(lease -> now - lease.sinceNanos > longest.toNanos())
                .forEach(this::giveUp);
        List<Lease> all = List.copyOf(toRenew);
        for (int from = 0; from < all.size(); from += RateLimiter.MAX_GROUPS) {
            renew(all.subList(from, Math.min(all.size(), from + RateLimiter.MAX_GROUPS)));
        }
    }

    private void renew(List<Lease> some) {
        try {
            List<Decision> again = limiter.get()
                    .acquireEach(some.stream()
                            .map(lease -> CheckGroup.of(lease.check))
                            .toList());
            for (int i = 0; i < some.size(); i++) {
                keepOrGiveBack(some.get(i), again.get(i));
            }
        } catch (StoreUnavailableException unavailable) {
            for (int i = 0; i < some.size(); i++) {
                Lease lease = some.get(i);
                unavailable.decision(i).ifPresent(again -> keepOrGiveBack(lease, again));
            }
            failures.log(unavailable, "leases were not renewed, and will be tried again before they expire");
        }
    }

    /**
     * Keeps a renewal, or gives it back if it crossed the release and has taken the lease again.
     */
    private void keepOrGiveBack(Lease lease, Decision again) {
        if (again instanceof Decision.Admitted admission && !lease.kept(admission)) {
            giveBack(admission.receipt());
        }
    }

    private void giveUp(Lease lease) {
        if (!end(List.of(lease))) {
            return;
        }
        signals.get().happened(Signals.Incident.LEASES_EXPIRED);
        long times = tooLong.times();
        if (times > 0) {
            System.getLogger("dev.limiter.store")
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} leases since the last such line were held for more than {1} (limiter.lease.longest),"
                                    + " the last one of policy \"{2}\": their requests hang, or their ends were not"
                                    + " reported. They do not count any more",
                            Long.toString(times),
                            DurationNotation.format(longest),
                            lease.check.policy().name());
        }
    }

    /** How long the oldest of them has been held, in s; 0 without one. */
    public long oldestSeconds() {
        long now = nanos.getAsLong();
        return TimeUnit.NANOSECONDS.toSeconds(toRenew.stream()
                .mapToLong(lease -> now - lease.sinceNanos)
                .max()
                .orElse(0));
    }

    /** How many are renewed at present. */
    public int held() {
        return toRenew.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (clock != null) {
            clock.shutdownNow();
        }
    }

    private void giveBack(Receipt receipt) {
        try {
            limiter.get().refund(receipt);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "a lease was not given back, and will expire");
        }
    }

    /** Starts a thread when there is a lease to renew. It does not outlive the application. */
    private synchronized void start() {
        if (clock == null && !closed) {
            clock = threads.get();
            clock.scheduleWithFixedDelay(this::renewSafely, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
        }
    }

    private static ScheduledExecutorService oneThread() {
        return Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(null, work, "limiter-leases", 0, false);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Renews, and catches exceptions and errors: each would silently end all renewals. */
    private void renewSafely() {
        try {
            renew();
        } catch (RuntimeException | Error unexpected) {
            try {
                System.getLogger("dev.limiter.store")
                        .log(System.Logger.Level.ERROR, "Leases could not be renewed", unexpected);
            } catch (OutOfMemoryError full) {
                // The next renewal says it, if it fails, too.
            }
        }
    }
}
