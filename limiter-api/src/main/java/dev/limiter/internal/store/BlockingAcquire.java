package dev.limiter.internal.store;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.StoreUnavailableException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Waits for admission: asks, waits as long as the result says, and asks again, until admitted or
 * out of time.
 */
public final class BlockingAcquire {

    /** How often leases are asked for again: they come back at unknown times. */
    private static final long LEASE_POLL_MICROS = 50_000;

    /** The limiter cuts longer waits to this length. */
    private static final Duration LONGEST = Duration.ofDays(36_600);

    /** Puts the thread to sleep. */
    public static final BlockingAcquire OF_THREADS =
            new BlockingAcquire(() -> System.nanoTime() / 1_000, Sleeper.OF_THREADS);

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
     * Waits on a given clock, by given means.
     *
     * @param micros a clock that does not step, in µs
     * @param sleep lets that clock advance
     */
    public BlockingAcquire(LongSupplier micros, Sleeper sleep) {
        this.micros = micros;
        this.sleep = sleep;
    }

    /**
     * Asks a limiter until it admits, or time is over.
     *
     * @param limiter decides on a group
     * @param refund gives back to the limiter
     * @param group what is asked, all or nothing
     * @param atMost the longest wait; not negative
     * @return admitted, and it may run now; or the last rejection
     * @throws InterruptedException if the thread was interrupted while waiting
     */
    public Decision acquire(
            Function<CheckGroup, Decision> limiter, Consumer<Receipt> refund, CheckGroup group, Duration atMost)
            throws InterruptedException {
        if (atMost.isNegative()) {
            throw new IllegalArgumentException("atMost must not be negative, was " + atMost);
        }
        long end = micros.getAsLong() + (atMost.compareTo(LONGEST) < 0 ? atMost : LONGEST).toNanos() / 1_000;
        while (true) {
            long left = Math.max(0, end - micros.getAsLong());
            CheckGroup held = group.heldAtMost(left);
            Decision decision = limiter.apply(held);
            if (decision instanceof Decision.Admitted admission) {
                return atItsSlot(refund, admission);
            }
            long pause = pause((Decision.Rejected) decision, held, left);
            if (pause > left) {
                return decision;
            }
            sleep(pause);
        }
    }

    /**
     * Waits until an admission may run.
     *
     * @param refund gives back to the limiter that admitted
     * @param admission what was admitted
     * @return the same, and it may run now
     * @throws InterruptedException if the thread was interrupted meanwhile; what was admitted is
     *     given back, but for leases that were held before
     */
    public Decision.Admitted atItsSlot(Consumer<Receipt> refund, Decision.Admitted admission)
            throws InterruptedException {
        try {
            sleep(admission.runAfter().toNanos() / 1_000);
            return admission;
        } catch (InterruptedException interrupted) {
            giveBack(refund, admission.receipt().withoutRenewals(), interrupted);
            throw interrupted;
        }
    }

    /**
     * Refunds without an exception: a failure of the store must not hide that the thread was
     * interrupted.
     */
    private static void giveBack(Consumer<Receipt> refund, Receipt taken, InterruptedException interrupted) {
        try {
            refund.accept(taken);
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

    private void sleep(long span) throws InterruptedException {
        if (span > 0) {
            sleep.sleep(Duration.ofSeconds(span / 1_000_000, span % 1_000_000 * 1_000));
        }
    }
}
