package dev.limiter.jaxrs.internal.signals;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import dev.limiter.spi.Signals;
import dev.limiter.spi.WaitBudget;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A limiter that reports its decisions and their duration. A caller that waits for admission is
 * reported once, with its outcome, and without the time it slept. Of several groups, those of
 * leases only are not reported, because they renew leases.
 */
public final class MeteredRateLimiter extends Layer {
    private final Signals signals;
    private final RejectionLog log;
    private final LongSupplier nanos;

    /**
     * @param limiter decides
     * @param signals receives the decisions
     * @param log receives rejections, and asks for the store's name of a key when it writes a
     *     line
     */
    public MeteredRateLimiter(RateLimiter limiter, Signals signals, RejectionLog log) {
        this(limiter, signals, log, System::nanoTime);
    }

    /** @param nanos a clock that does not step, in ns */
    MeteredRateLimiter(RateLimiter limiter, Signals signals, RejectionLog log, LongSupplier nanos) {
        super(limiter);
        this.signals = signals;
        this.log = log;
        this.nanos = nanos;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(acquire(each));
        }
        if (!(ask instanceof Ask.Acquire acquire)) {
            return next.answer(ask);
        }
        long began = nanos.getAsLong();
        A decision;
        try {
            decision = next.answer(ask);
        } catch (StoreUnavailableException unavailable) {
            signals.undecided(acquire.group(), awakeSince(began, acquire.budget()));
            throw unavailable;
        }
        decided(acquire.group(), (Decision) decision, awakeSince(began, acquire.budget()));
        return decision;
    }

    private long awakeSince(long began, WaitBudget budget) {
        return Math.max(0, nanos.getAsLong() - began - (budget == null ? 0 : budget.sleptNanos()));
    }

    private GroupDecisions acquire(Ask.AcquireEach ask) {
        long began = nanos.getAsLong();
        GroupDecisions decisions = next.answer(ask);
        long waited = awakeSince(began, null);
        for (int i = 0; i < ask.groups().size(); i++) {
            CheckGroup group = ask.groups().get(i);
            if (!Ask.AcquireEach.isRenewal(group)) {
                decisions
                        .made()
                        .get(i)
                        .ifPresentOrElse(
                                decision -> decided(group, decision, waited), () -> signals.undecided(group, waited));
            }
        }
        return decisions;
    }

    private void decided(CheckGroup group, Decision decision, long waitedNanos) {
        signals.decided(decision, waitedNanos);
        if (decision instanceof Decision.Rejected rejected) {
            log.rejected(group, rejected, next);
        }
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
