package dev.limiter.internal.store;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Layer;
import dev.limiter.spi.WaitBudget;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * Waits for callers with a {@link WaitBudget}: asks, waits as long as the result says, and asks
 * again, until admitted or out of time.
 */
public class BlockingAcquire extends Layer {

    /** How often leases are asked for again: they come back at unknown times. */
    private static final long LEASE_POLL_MICROS = 50_000;

    /** The limiter cuts longer waits to this length. */
    private static final Duration LONGEST = Duration.ofDays(36_600);

    private final LongSupplier micros;
    private final Sleeper sleep;

    /** Lets time pass. */
    @FunctionalInterface
    public interface Sleeper {

        /**
         * Puts the thread to sleep, never for less than asked: {@link Thread#sleep(long, int)}
         * would cut fractions below half a ms.
         */
        Sleeper OF_THREADS = span -> Thread.sleep(span.plusNanos(999_999).toMillis());

        /**
         * Returns when this span has passed.
         *
         * @param span how long
         * @throws InterruptedException if the thread was interrupted meanwhile
         */
        void sleep(Duration span) throws InterruptedException;
    }

    /**
     * Waits on the clock of this process.
     *
     * @param next decides
     */
    public BlockingAcquire(RateLimiter next) {
        this(next, () -> System.nanoTime() / 1_000, Sleeper.OF_THREADS);
    }

    /**
     * Waits on a given clock, by given means.
     *
     * @param next decides
     * @param micros a clock that does not step, in µs
     * @param sleep lets that clock advance
     */
    public BlockingAcquire(RateLimiter next, LongSupplier micros, Sleeper sleep) {
        super(next);
        this.micros = micros;
        this.sleep = sleep;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (!(ask instanceof Ask.Acquire acquire) || acquire.budget() == null) {
            return next.answer(ask);
        }
        try {
            return ask.is(acquire(acquire.group(), acquire.budget()));
        } catch (InterruptedException interrupted) {
            throw new WaitBudget.Interrupted(interrupted);
        }
    }

    private Decision acquire(CheckGroup group, WaitBudget budget) throws InterruptedException {
        Duration atMost = budget.atMost();
        long end = micros.getAsLong() + (atMost.compareTo(LONGEST) < 0 ? atMost : LONGEST).toNanos() / 1_000;
        while (true) {
            long left = Math.max(0, end - micros.getAsLong());
            CheckGroup held = group.heldAtMost(left);
            Decision decision = next.acquire(held);
            if (decision instanceof Decision.Admitted admission) {
                return atItsSlot(admission, budget);
            }
            long pause = pause((Decision.Rejected) decision, held, left);
            if (pause > left) {
                return decision;
            }
            sleep(pause, budget);
        }
    }

    /**
     * Waits until an admission may run.
     *
     * @param admission what was admitted
     * @param budget is told of the wait
     * @return the same, and it may run now
     * @throws InterruptedException if the thread was interrupted meanwhile; what was admitted is
     *     given back, but for leases that were held before
     */
    public Decision.Admitted atItsSlot(Decision.Admitted admission, WaitBudget budget) throws InterruptedException {
        try {
            sleep(admission.runAfter().toNanos() / 1_000, budget);
            return admission;
        } catch (InterruptedException interrupted) {
            giveBack(admission.receipt().withoutRenewals(), interrupted);
            throw interrupted;
        }
    }

    /**
     * Refunds without an exception: a failure of the store must not hide that the thread was
     * interrupted.
     */
    private void giveBack(Receipt taken, InterruptedException interrupted) {
        try {
            next.refund(taken);
        } catch (StoreUnavailableException unavailable) {
            interrupted.addSuppressed(unavailable);
        }
    }

    /** Time until it is worth asking again, in µs; more than {@code left} if it is not. */
    private static long pause(Decision.Rejected rejected, CheckGroup held, long left) {
        long pause = 0;
        for (int i = 0; i < held.checks().size(); i++) {
            CheckResult result = rejected.results().get(i);
            if (result.admitted() || !result.policy().rejects()) {
                continue;
            }
            // After this wait, the next free slot is as far away as this request may be held.
            if (result.retryAfterMicros() + held.checks().get(i).maxWaitMicros() > left && !isLease(result)) {
                return Long.MAX_VALUE;
            }
            pause = Math.max(pause, isLease(result) ? leasePause(left) : result.retryAfterMicros());
        }
        return pause;
    }

    private static boolean isLease(CheckResult result) {
        return result.policy().rules().leases();
    }

    private static long leasePause(long left) {
        return left == 0 ? Long.MAX_VALUE : Math.min(left, LEASE_POLL_MICROS);
    }

    private void sleep(long span, WaitBudget budget) throws InterruptedException {
        if (span > 0) {
            long began = micros.getAsLong();
            sleep.sleep(Duration.of(span, ChronoUnit.MICROS));
            budget.slept((micros.getAsLong() - began) * 1_000);
        }
    }
}
