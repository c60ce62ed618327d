package dev.limiter.jaxrs.internal.signals;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.spi.ForwardingRateLimiter;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * A limiter that reports its decisions and their duration. A caller that waits for admission is
 * reported once, with its outcome, and without the time it slept. {@link #acquireEach} does not
 * report check groups of leases only, because they renew leases.
 */
public final class MeteredRateLimiter extends ForwardingRateLimiter {
    private final Signals signals;
    private final RejectionLog log;
    private final LongSupplier nanos;
    private final BlockingAcquire.Sleeper sleep;

    /**
     * @param limiter decides
     * @param signals receives the decisions
     * @param log receives rejections, and asks for the store's name of a key when it writes a
     *     line
     */
    public MeteredRateLimiter(RateLimiter limiter, Signals signals, RejectionLog log) {
        this(limiter, signals, log, System::nanoTime, BlockingAcquire.Sleeper.OF_THREADS);
    }

    /**
     * @param nanos a clock that does not step, in ns
     * @param sleep lets that clock advance
     */
    MeteredRateLimiter(
            RateLimiter limiter, Signals signals, RejectionLog log, LongSupplier nanos, BlockingAcquire.Sleeper sleep) {
        super(limiter);
        this.signals = signals;
        this.log = log;
        this.nanos = nanos;
        this.sleep = sleep;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        long began = nanos.getAsLong();
        Decision decision;
        try {
            decision = limiter.acquire(group);
        } catch (StoreUnavailableException unavailable) {
            signals.undecided(group, nanos.getAsLong() - began);
            throw unavailable;
        }
        decided(group, decision, nanos.getAsLong() - began);
        return decision;
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        long began = nanos.getAsLong();
        try {
            List<Decision> decisions = limiter.acquireEach(groups);
            tell(groups, i -> Optional.of(decisions.get(i)), nanos.getAsLong() - began);
            return decisions;
        } catch (StoreUnavailableException unavailable) {
            tell(groups, unavailable::decision, nanos.getAsLong() - began);
            throw unavailable;
        }
    }

    private void tell(List<CheckGroup> groups, IntFunction<Optional<Decision>> decisions, long waitedNanos) {
        for (int i = 0; i < groups.size(); i++) {
            CheckGroup group = groups.get(i);
            if (!isRenewal(group)) {
                decisions
                        .apply(i)
                        .ifPresentOrElse(
                                decision -> decided(group, decision, waitedNanos),
                                () -> signals.undecided(group, waitedNanos));
            }
        }
    }

    @Override
    public Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
        long began = nanos.getAsLong();
        Asleep asleep = new Asleep();
        Decision decision;
        try {
            decision = new BlockingAcquire(() -> nanos.getAsLong() / 1_000, asleep)
                    .acquire(limiter::acquire, limiter::refund, group, atMost);
        } catch (StoreUnavailableException unavailable) {
            signals.undecided(group, nanos.getAsLong() - began - asleep.asleepNanos);
            throw unavailable;
        }
        decided(group, decision, nanos.getAsLong() - began - asleep.asleepNanos);
        return decision;
    }

    /** Sleeps, and adds up the time. */
    private final class Asleep implements BlockingAcquire.Sleeper {
        private long asleepNanos;

        @Override
        public void sleep(Duration span) throws InterruptedException {
            long began = nanos.getAsLong();
            sleep.sleep(span);
            asleepNanos += nanos.getAsLong() - began;
        }
    }

    private void decided(CheckGroup group, Decision decision, long waitedNanos) {
        signals.decided(decision, waitedNanos);
        if (decision instanceof Decision.Rejected rejected) {
            log.rejected(group, rejected, limiter);
        }
    }

    private static boolean isRenewal(CheckGroup group) {
        return group.checks().stream().allMatch(check -> check.policy().rules().leases());
    }

    /** Also returns the signals: an extension shows its figures by them. */
    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        if (type == Signals.class) {
            return Optional.of(type.cast(signals));
        }
        return super.unwrap(type);
    }
}
