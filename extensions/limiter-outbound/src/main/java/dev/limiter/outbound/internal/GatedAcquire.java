package dev.limiter.outbound.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

/** Holds a call until it may start. */
public final class GatedAcquire {
    private GatedAcquire() {}

    /**
     * Returns when the call may start. When its slot comes, the call may have been admitted long
     * ago. If a gate was closed meanwhile, the slot is given back, and the call waits again. A call
     * that would start while a {@linkplain PeriodChange period changes} waits until it has.
     *
     * @param variation by how much the delays of calls may differ
     * @param untold closings that the store has to know before it decides
     * @throws RateLimitExceededException if the call would have to be held for longer
     * @throws StoreUnavailableException if the store fails, and the policies are {@code CLOSED};
     *     what was admitted is given back
     * @throws InterruptedIOException if the thread was interrupted while waiting; it is still
     *     marked as such
     */
    public static void await(
            RateLimiter limiter, CheckGroup group, Duration atMost, Duration variation, PendingClosings untold)
            throws InterruptedIOException {
        CheckGroup gated = group.withGates().asRefundable(); // by a call that a gate has stopped at its slot
        List<Check> both = gated.checks();
        CheckGroup gates = new CheckGroup(both.subList(group.checks().size(), both.size()));
        long began = System.nanoTime();
        Duration left = atMost;
        PeriodChange change = new PeriodChange(variation);
        while (true) {
            untold.tell(limiter, group);
            Decision decision = acquire(limiter, gated, left);
            if (decision instanceof Decision.Rejected rejected) {
                throw new RateLimitExceededException(rejected);
            }
            Decision.Admitted admission = (Decision.Admitted) decision;
            try {
                if (!change.holds(limiter, group, admission) && mayStart(limiter, group, gates, untold, admission)) {
                    return;
                }
            } catch (RuntimeException failed) {
                giveBack(limiter, admission, failed);
                throw failed;
            }
            limiter.refund(admission);
            Duration passed = Duration.ofNanos(System.nanoTime() - began);
            left = passed.compareTo(atMost) < 0 ? atMost.minus(passed) : Duration.ZERO;
        }
    }

    private static Decision acquire(RateLimiter limiter, CheckGroup gated, Duration atMost)
            throws InterruptedIOException {
        try {
            return limiter.acquire(gated, atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while a call waited for its turn").initCause(interrupted);
        }
    }

    /** Asks the gates again at the slot, and after a closing that the store has not heard of. */
    private static boolean mayStart(
            RateLimiter limiter,
            CheckGroup group,
            CheckGroup gates,
            PendingClosings untold,
            Decision.Admitted admission) {
        if (admission.runAfter().isZero() && !untold.concern(group)) {
            return true;
        }
        untold.tell(limiter, group);
        return limiter.peek(gates).stream()
                .allMatch(answer -> answer.admitted() || !answer.policy().rejects());
    }

    /** A second failure must not hide the first. */
    private static void giveBack(RateLimiter limiter, Decision.Admitted admission, RuntimeException first) {
        try {
            limiter.refund(admission);
        } catch (StoreUnavailableException second) {
            first.addSuppressed(second);
        }
    }
}
