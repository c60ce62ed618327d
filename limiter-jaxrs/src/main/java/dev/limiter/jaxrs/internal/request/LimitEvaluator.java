package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.Listeners;
import java.util.List;

/** Asks the limiter on behalf of a request, all limits of a stage at once, and holds it for its slot if it has to wait. */
public final class LimitEvaluator {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final PolicyRegistry policies;
    private final ExemptAddresses exempt;
    private final Lazy<RateLimiter> limiter;
    private final SlotWait slots;
    private final Lazy<Listeners> signals;

    /**
     * @param signals are told what becomes of requests that wait for a slot
     */
    public LimitEvaluator(
            PolicyRegistry policies,
            ExemptAddresses exempt,
            Lazy<RateLimiter> limiter,
            SlotWait slots,
            Lazy<Listeners> signals) {
        this.policies = policies;
        this.exempt = exempt;
        this.limiter = limiter;
        this.slots = slots;
        this.signals = signals;
    }

    /**
     * Decides what this request has not been asked yet.
     *
     * @param account takes what was decided
     * @return null if it may go on
     * @throws StoreUnavailableException if the limiter cannot decide
     * @throws UnreadableFormException if a limit counts a field of a form that cannot be read
     */
    public Decision.Rejected decide(RequestState account, List<Limit> limits, LimitedRequest request) {
        List<Limit> open = account.notYetAsked(limits);
        if (open.isEmpty()) {
            return null;
        }
        if (!policies.enabled() || !exempt.isEmpty() && exempt.contains(request)) {
            open.forEach(account::spare);
            return null;
        }
        RequestDecision.Pending question = RequestDecision.Pending.of(open, request);
        if (question == null || question.limits().size() < open.size()) {
            open.stream()
                    .filter(limit -> question == null || !question.limits().contains(limit))
                    .forEach(account::spare);
        }
        return question == null ? null : decide(account, question);
    }

    /** Decides a question, whatever was asked before. */
    public Decision.Rejected decide(RequestState account, RequestDecision.Pending question) {
        Decision decision = limiter.get().acquire(question.group());
        account.add(question.answered(decision));
        if (decision instanceof Decision.Admitted admission
                && !admission.runAfter().isZero()) {
            decision = held(account, question, admission);
        }
        return decision instanceof Decision.Rejected rejected ? rejected : null;
    }

    /** Leases are held, and renewed, while the request waits. */
    private Decision held(RequestState account, RequestDecision.Pending question, Decision.Admitted admission) {
        long began = System.nanoTime();
        Decision decision;
        try {
            decision = slots.untilItsSlot(admission, question.group(), limiter.get());
        } catch (StoreUnavailableException unavailable) {
            account.forgetLast();
            throw unavailable;
        }
        if (decision instanceof Decision.Rejected crowdedOut) {
            account.replaceLast(question.answered(crowdedOut));
            signals.get().crowdedOut(crowdedOut);
        } else {
            long nanos = System.nanoTime() - began;
            account.held(nanos / NANOS_PER_MILLI);
            signals.get().held(nanos);
        }
        return decision;
    }
}
