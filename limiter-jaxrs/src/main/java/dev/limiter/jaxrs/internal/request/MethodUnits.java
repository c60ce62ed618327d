package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The units that the method of a request acquires of policies that the filter does not charge,
 * and their settlement.
 */
record MethodUnits(RequestLimits.Factory application, RequestState state) {

    /**
     * Asks for units of several policies, all or nothing, in the order of their declaration.
     *
     * @return null if they were admitted, or no policy counts the request
     * @throws IllegalArgumentException if a policy is none whose units the method acquires, or
     *     units are negative or null
     */
    Decision.Rejected acquire(Map<String, Long> units) {
        new TreeMap<>(units).forEach((name, estimate) -> {
            requireUnits(name, estimate);
            if (state.skipped(name) == null) {
                state.requireOfMethod(name);
            }
        });
        List<MethodLimit> asked = new ArrayList<>(units.size());
        List<Check> checks = new ArrayList<>(units.size());
        for (MethodLimit limit : state.ofMethod()) {
            long estimate = units.getOrDefault(limit.name(), 0L);
            if (estimate > 0 && state.skipped(limit.name()) == null) {
                asked.add(limit);
                checks.add(limit.check(estimate));
            }
        }
        if (checks.isEmpty()) {
            return null;
        }
        List<EffectivePolicy> policies =
                asked.stream().map(MethodLimit::effective).toList();
        RequestDecision.Pending pending = new RequestDecision.Pending(
                asked.stream().map(MethodLimit::limit).toList(), policies, new CheckGroup(checks, true));
        return application.evaluator().decide(state, pending);
    }

    private static void requireUnits(String policy, Long units) {
        if (units == null || units < 0) {
            throw new IllegalArgumentException(
                    "units on policy \"" + policy + "\" must be a number from zero, were " + units);
        }
    }

    /**
     * Corrects the sum of what the method acquired of a policy since the last settlement. Units
     * that were not used are given back from the last admission on.
     *
     * @return null if this changed nothing in the store
     * @throws IllegalArgumentException if the policy is none whose units the method acquires, or
     *     units are out of range
     */
    ChargeResult settle(MethodLimit limit, long used) {
        Policy policy = limit.inForce();
        Settlement.requireSettleable(policy, used);
        List<Decision.Admitted> open = state.takeUnsettled(limit);
        if (open == null) {
            return null;
        }
        RateLimiter limiter = application.limiter().get();
        if (open.isEmpty()) {
            return used == 0
                    ? ChargeResult.ofNothing(limiter.peek(policy, limit.key()))
                    : limiter.charge(policy, limit.key(), used);
        }
        Settlement settlement = Settlement.of(open, policy, used);
        return settlement.isExact() ? null : limiter.settle(settlement);
    }
}
