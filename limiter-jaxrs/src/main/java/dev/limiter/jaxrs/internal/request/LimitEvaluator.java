package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.FailedExpressionException;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.Listeners;
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
        state.seen(request);
        List<Limit> open = state.notYetDecided(limits);
        if (open.isEmpty()) {
            return null;
        }
        for (Limit limit : open) {
            if (!limit.countsEveryStatus()) {
                state.accepts(request.headers("Accept"));
                break;
            }
        }
        if (!policies.enabled() || !exempt.isEmpty() && exempt.contains(request)) {
            open.forEach(state.limits()::skip);
            return null;
        }
        RequestDecision.Pending pending = RequestDecision.Pending.of(open, request);
        if (pending == null || pending.limits().size() < open.size()) {
            open.stream()
                    .filter(limit -> pending == null || !pending.limits().contains(limit))
                    .forEach(limit -> leave(state, limit, request));
        }
        return pending == null ? null : decide(state, pending);
    }

    /** Leaves a limit to the method if the method acquires its units and it counts the caller. */
    private static void leave(RequestState state, Limit limit, LimitedRequest request) {
        MethodLimit ofMethod = null;
        try {
            ofMethod = limit.isOfMethod() ? MethodLimit.of(limit, request) : null;
        } catch (FailedExpressionException failed) {
            throw failed.of(limit.name(), request.endpoint());
        } catch (UnreadableFormException unreadable) {
            if (!limit.isShadow()) {
                throw unreadable;
            }
        }
        if (ofMethod == null) {
            state.limits().skip(limit);
        } else {
            state.limits().leaveToMethod(ofMethod);
        }
    }

    /** Decides what is pending, whatever was asked before. */
    public Decision.Rejected decide(RequestState state, RequestDecision.Pending pending) {
        Decision decision = limiter.get().acquire(pending.group());
        state.add(pending.decided(decision));
        if (decision instanceof Decision.Admitted admission
                && !admission.runAfter().isZero()) {
            decision = held(state, pending, admission);
        }
        return decision instanceof Decision.Rejected rejected ? rejected : null;
    }

    /** Leases are held, and renewed, while the request waits. */
    private Decision held(RequestState state, RequestDecision.Pending pending, Decision.Admitted admission) {
        long began = System.nanoTime();
        Decision decision;
        try {
            decision = slots.untilItsSlot(admission, pending.group(), limiter.get());
        } catch (StoreUnavailableException unavailable) {
            state.forgetLast();
            throw unavailable;
        }
        if (decision instanceof Decision.Rejected rejected) {
            state.replaceLast(pending.decided(rejected));
            signals.get().slotWaitRejected(rejected);
        } else {
            long nanos = System.nanoTime() - began;
            state.slotWaited(nanos / NANOS_PER_MILLI);
            signals.get().slotWaited(nanos);
        }
        return decision;
    }
}
