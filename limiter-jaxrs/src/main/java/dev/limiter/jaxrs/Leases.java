package dev.limiter.jaxrs;

import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The leases of requests that run. Asking again for a lease renews it: every third of its length, for all that are held, so
 * that a request counts as long as it runs and one whose process was killed does not. Only leases whose release is certain are
 * renewed; others expire, which is better than counting for ever.
 */
final class Leases implements AutoCloseable {
    private final Supplier<RateLimiter> limiter;
    private final StoreFailureLog failures;
    private final Set<Held> renewed = ConcurrentHashMap.newKeySet();
    private final long pauseMillis;
    private ScheduledExecutorService clock;
    private boolean closed;

    /**
     * @param leaseMillis how long a lease lasts that nobody renews
     */
    Leases(Supplier<RateLimiter> limiter, StoreFailureLog failures, long leaseMillis) {
        this.limiter = limiter;
        this.failures = failures;
        this.pauseMillis = leaseMillis / 3;
    }

    /** Leases of one decision, until they are released. */
    final class Held {
        private final List<Demand> demands;
        /** The last that the store knows of; null while it knows of none. */
        private Decision.Admitted inStore;
        /** What the fallback has admitted since; null if nothing. */
        private Decision.Admitted inFallback;

        private boolean released;

        private Held(Decision.Admitted admission) {
            this.demands = admission.receipt().demands();
            keep(admission);
        }

        /** Gives them back; a second time does nothing. One that cannot be given back expires by itself. */
        void release() {
            renewed.remove(this);
            List<Decision.Admitted> taken;
            synchronized (this) {
                released = true;
                taken = taken();
            }
            taken.forEach(Leases.this::giveBack);
        }

        /** A renewal that crossed the release has taken the lease again. */
        private void renewedBy(Decision again) {
            if (again instanceof Decision.Admitted admission && !kept(admission)) {
                giveBack(admission);
            }
        }

        private synchronized boolean kept(Decision.Admitted admission) {
            if (!released) {
                keep(admission);
            }
            return !released;
        }

        /** A lease can be held by the store and by the fallback, each of which has to be told of its end. */
        private void keep(Decision.Admitted admission) {
            if (admission.fallback()) {
                inFallback = admission;
            } else {
                inStore = admission;
                inFallback = null;
            }
        }

        private List<Decision.Admitted> taken() {
            return Stream.of(inStore, inFallback).filter(Objects::nonNull).toList();
        }

        private Group group() {
            return new Group(demands);
        }

        /** Of one {@code CLOSED} in a call the fallback answers for none, so those of a kind are asked together. */
        private Set<OnStoreFailure> onStoreFailure() {
            return demands.stream()
                    .map(demand -> demand.policy().onStoreFailure())
                    .collect(Collectors.toSet());
        }
    }

    /**
     * @param admission what was admitted, of its policies only those that lease
     * @param renew whether its release is certain
     */
    Held hold(Decision.Admitted admission, boolean renew) {
        Held held = new Held(admission);
        if (renew && !held.demands.isEmpty()) {
            renewed.add(held);
            start();
        }
        return held;
    }

    /** Renews all that are held, many in one round trip; one that fails keeps none of the others from it. */
    void renew() {
        for (List<Held> alike : renewed.stream()
                .collect(Collectors.groupingBy(Held::onStoreFailure))
                .values()) {
            for (int from = 0; from < alike.size(); from += RateLimiter.MAX_GROUPS) {
                renew(alike.subList(from, Math.min(alike.size(), from + RateLimiter.MAX_GROUPS)));
            }
        }
    }

    private void renew(List<Held> some) {
        try {
            List<Decision> again =
                    limiter.get().acquireEach(some.stream().map(Held::group).toList());
            for (int i = 0; i < some.size(); i++) {
                some.get(i).renewedBy(again.get(i));
            }
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "leases were not renewed, and will be tried again before they expire");
        }
    }

    /** How many are renewed at present. */
    int held() {
        return renewed.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (clock != null) {
            clock.shutdownNow();
        }
    }

    private void giveBack(Decision.Admitted admission) {
        try {
            limiter.get().refund(admission);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "a lease was not given back, and will expire");
        }
    }

    /** A thread only where there is something to renew, and none that would outlive the application. */
    private synchronized void start() {
        if (clock == null && !closed) {
            clock = Executors.newSingleThreadScheduledExecutor(work -> {
                Thread thread = new Thread(work, "limiter-leases");
                thread.setDaemon(true);
                return thread;
            });
            clock.scheduleWithFixedDelay(this::renewSafely, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** What is thrown would end all renewals in silence. */
    private void renewSafely() {
        try {
            renew();
        } catch (RuntimeException unexpected) {
            System.getLogger("dev.limiter.store")
                    .log(System.Logger.Level.ERROR, "Leases could not be renewed", unexpected);
        }
    }
}
