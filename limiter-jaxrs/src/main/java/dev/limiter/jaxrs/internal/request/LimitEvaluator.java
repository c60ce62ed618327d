package dev.limiter.jaxrs.internal.request;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.FailedExpressionException;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.Listeners;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the limiter for all limits of a stage at once, and holds the request for its slot if it
 * has to wait.
 *
 * @param signals receive the outcome of requests that wait for a slot
 */
public record LimitEvaluator(
        PolicyRegistry policies,
        ExemptAddresses exempt,
        Lazy<RateLimiter> limiter,
        SlotWait slots,
        Lazy<Listeners> signals) {
    private static final double NANOS_PER_MILLI = 1_000_000;

    /**
     * Decides those limits that have not counted this request yet.
     *
     * @param state takes what was decided
     * @return null if the request may go on
     * @throws StoreUnavailableException if the limiter cannot decide
     * @throws UnreadableFormException if a limit counts a field of a form that cannot be read
     */
    public Decision.Rejected decide(RequestState state, List<Limit> limits, LimitedRequest request) {
        List<Limit> open = state.meets(limits, request);
        if (open.isEmpty()) {
            return null;
        }
        if (!policies.enabled() || !exempt.isEmpty() && exempt.contains(request)) {
            open.forEach(state.limits()::skip);
            return null;
        }
        List<BoundLimit> asked = new ArrayList<>(open.size());
        for (Limit limit : open) {
            BoundLimit bound = bound(limit, request);
            if (bound == null) {
                state.limits().skip(limit);
            } else if (limit.isOfMethod()) {
                state.limits().leaveToMethod(bound);
            } else {
                asked.add(bound);
            }
        }
        return asked.isEmpty() ? null : acquire(state, asked);
    }

    /**
     * The limit of a request; null if it does not count it. A shadow does not count a form that
     * cannot be read.
     */
    private static BoundLimit bound(Limit limit, LimitedRequest request) {
        try {
            return BoundLimit.of(limit, request);
        } catch (FailedExpressionException failed) {
            throw failed.of(limit.name(), request.endpoint());
        } catch (UnreadableFormException unreadable) {
            if (limit.isShadow()) {
                return null;
            }
            throw unreadable;
        }
    }

    /** Asks for all of these, whatever was asked before; null if they are admitted. */
    public Decision.Rejected acquire(RequestState state, List<BoundLimit> asked) {
        CheckGroup group = BoundLimit.group(asked);
        Decision decision = limiter.get().acquire(group);
        state.add(new RequestDecision(asked, decision));
        if (decision instanceof Decision.Admitted admission
                && !admission.runAfter().isZero()) {
            decision = held(state, asked, group, admission);
        }
        return decision instanceof Decision.Rejected rejected ? rejected : null;
    }

    /** Leases are held, and renewed, while the request waits. */
    private Decision held(RequestState state, List<BoundLimit> asked, CheckGroup group, Decision.Admitted admission) {
        long began = System.nanoTime();
        Decision decision;
        try {
            decision = slots.untilItsSlot(admission, group, limiter.get());
        } catch (StoreUnavailableException unavailable) {
            state.forgetLast();
            throw unavailable;
        }
        if (decision instanceof Decision.Rejected rejected) {
            state.replaceLast(new RequestDecision(asked, rejected));
            signals.get().slotWaitRejected(rejected);
        } else {
            long nanos = System.nanoTime() - began;
            state.slotWaited(nanos / NANOS_PER_MILLI);
            signals.get().slotWaited(nanos);
        }
        return decision;
    }
}
