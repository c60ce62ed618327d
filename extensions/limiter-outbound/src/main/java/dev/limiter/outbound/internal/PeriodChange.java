package dev.limiter.outbound.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.time.Duration;

/**
 * The change of a period of the calendar, from a delay variation before it to one after it. A call
 * that starts then may arrive when the partner is in the other period. So no call starts: its
 * gate is closed. For one call.
 */
final class PeriodChange {
    private final long variationMicros;
    private boolean held;

    /**
     * @param variation by how much the arrival on the partner's clock may differ from the start on
     *     the store's
     */
    PeriodChange(Duration variation) {
        this.variationMicros = variation.toNanos() / 1_000;
    }

    /**
     * Whether the call must not start now, and has to be admitted anew. Closes the gates that
     * hold it. A call is held once: if its gate opens too early, by an operator or without the
     * store, it starts.
     *
     * @throws StoreUnavailableException if the store cannot be told
     */
    boolean holds(RateLimiter limiter, CheckGroup group, Decision.Admitted admission) {
        if (held) {
            return false;
        }
        for (Check check : group.checks()) {
            Policy policy = check.policy();
            if (policy.period() != null && policy.rejects()) {
                holds(limiter, check, admission);
            }
        }
        return held;
    }

    private void holds(RateLimiter limiter, Check check, Decision.Admitted admission) {
        long counted = admission.atMicros();
        long starts = counted + admission.runAfter().toNanos() / 1_000;
        long begin = check.policy().period().startMicros(counted);
        long end = check.policy().period().endMicros(counted);
        boolean ends = starts >= end - variationMicros;
        if (ends || starts < begin + variationMicros) {
            held = true;
            long left = (ends ? end : begin) + variationMicros - starts;
            limiter.closeGate(check.policy(), check.key(), Duration.ofNanos(Math.max(0, left) * 1_000));
        }
    }
}
