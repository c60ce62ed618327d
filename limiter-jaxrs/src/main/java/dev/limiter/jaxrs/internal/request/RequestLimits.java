package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.spi.Settlement;
import java.util.List;
import java.util.Map;

/** The limits of a request for its method. */
public record RequestLimits(Factory application, RequestState state) implements RateLimits {

    /**
     * Makes them for each request of an application.
     *
     * @param deployed the limits of the application
     * @param limiter charges
     * @param evaluator decides what a method asks for
     */
    public record Factory(
            DeployedLimits deployed,
            PolicyRegistry policies,
            Lazy<RateLimiter> limiter,
            LimitEvaluator evaluator,
            RetryAfterHeader retryAfter) {
        RateLimits of(RequestState state) {
            return new RequestLimits(this, state);
        }
    }

    @Override
    public List<Decision> decisions() {
        return state.decisions();
    }

    @Override
    public long remaining(String policy) {
        Policy skipped = state.skipped(policy);
        if (skipped != null) {
            return skipped.capacity();
        }
        return chargeOfNothing(asked(policy)).remaining();
    }

    /** The check of a policy that was asked, or that the method may ask. */
    private Check asked(String policy) {
        MethodLimit limit = state.ofMethod(policy);
        return limit == null ? state.lastCheck(policy) : limit.check(1);
    }

    @Override
    public long used(String policy) {
        return state.skipped(policy) == null ? chargeOfNothing(asked(policy)).used() : 0;
    }

    @Override
    public boolean isExceeded(String policy) {
        return state.skipped(policy) == null && chargeOfNothing(asked(policy)).overage() > 0;
    }

    /**
     * A charge of 0 units: the rest of a partition after its last decision, or after the last
     * charge since.
     */
    private ChargeResult chargeOfNothing(Check asked) {
        ChargeResult last = state.last(asked);
        return last == null
                ? ChargeResult.ofNothing(application.limiter().get().peek(asked.policy(), asked.key()))
                : last;
    }

    @Override
    public ChargeResult charge(String policy, long units) {
        Policy skipped = state.skipped(policy);
        if (skipped != null) {
            ChargeResult.requireChargeable(skipped, units);
            return new ChargeResult(skipped, 0, units, skipped.capacity(), 0, 0);
        }
        Check asked = asked(policy);
        ChargeResult.requireChargeable(asked.policy(), units);
        if (units == 0) {
            return chargeOfNothing(asked);
        }
        ChargeResult charge = application.limiter().get().charge(asked.policy(), asked.key(), units);
        state.charged(asked, charge);
        return charge;
    }

    /** A new object: in place of this one, Weld would return its client proxy. */
    @Override
    public RateLimits ofThisRequest() {
        return state.limits();
    }

    @Override
    public Policy policy(String name) {
        return deployed().policy(name);
    }

    @Override
    public DeployedLimits deployed() {
        return application.deployed();
    }

    @Override
    public void acquire(String policy, PartitionKey key) {
        PolicyRegistry policies = application.policies();
        Limit limit = Limit.of(policies.named(policy));
        EffectivePolicy declared = limit.policy().withoutTier();
        EffectivePolicy effective = declared == null ? null : limit.policyFor(key, declared);
        if (effective == null || !policies.enabled()) {
            state.skipKey(limit);
            return;
        }
        effective = limit.policy().ofCaller(effective, key, state.caller());
        CheckGroup group = new CheckGroup(List.of(Check.of(effective.policy(), key)), limit.isRefundable());
        Decision.Rejected rejected = application
                .evaluator()
                .decide(state, new RequestDecision.Pending(List.of(limit), List.of(effective), group));
        refuse(rejected);
    }

    private void refuse(Decision.Rejected rejected) {
        if (rejected != null) {
            throw new RateLimitExceededException(rejected, state.retryAfterSeconds(application.retryAfter()));
        }
    }

    @Override
    public void acquire(Map<String, Long> units) {
        refuse(new MethodUnits(application, state).acquire(units));
    }

    @Override
    public ChargeResult settle(String policy, long used) {
        Policy skipped = state.skipped(policy);
        if (skipped != null) {
            Settlement.requireSettleable(skipped, used);
            return new ChargeResult(skipped, 0, 0, skipped.capacity(), 0, 0);
        }
        MethodLimit limit = state.requireOfMethod(policy);
        ChargeResult charge = new MethodUnits(application, state).settle(limit, used);
        if (charge == null) {
            return chargeOfNothing(limit.check(1));
        }
        state.charged(limit.check(1), charge);
        return charge;
    }
}
