package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
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
import java.util.List;

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
        return chargeOfNothing(state.lastCheck(policy)).remaining();
    }

    /**
     * A charge of 0 units: the rest of a policy after its last decision, or after the last
     * charge since.
     */
    private ChargeResult chargeOfNothing(Check asked) {
        ChargeResult since = state.chargeOf(asked.policy().name());
        if (since != null) {
            return new ChargeResult(
                    since.policy(),
                    0,
                    0,
                    since.remaining(),
                    since.nextAfterMicros(),
                    since.resetAfterMicros(),
                    since.fallback());
        }
        CheckResult last = null;
        for (Decision decision : state.decisions()) {
            for (CheckResult result : decision.results()) {
                if (result.policy().equals(asked.policy())) {
                    last = result;
                }
            }
        }
        return ChargeResult.ofNothing(last);
    }

    @Override
    public ChargeResult charge(String policy, long units) {
        Policy skipped = state.skipped(policy);
        if (skipped != null) {
            ChargeResult.requireChargeable(skipped, units);
            return new ChargeResult(skipped, 0, units, skipped.capacity(), 0, 0);
        }
        Check asked = state.lastCheck(policy);
        ChargeResult.requireChargeable(asked.policy(), units);
        if (units == 0) {
            return chargeOfNothing(asked);
        }
        ChargeResult charge = application.limiter().get().charge(asked.policy(), asked.key(), units);
        state.charged(charge);
        return charge;
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
        EffectivePolicy effective = limit.policy().withoutTier();
        if (effective == null || !policies.enabled()) {
            state.skip(limit);
            return;
        }
        CheckGroup group = new CheckGroup(List.of(Check.of(effective.policy(), key)), limit.isRefundable());
        Decision.Rejected rejected = application
                .evaluator()
                .decide(state, new RequestDecision.Pending(List.of(limit), List.of(effective), group));
        if (rejected != null) {
            throw new RateLimitExceededException(rejected, state.retryAfterSeconds(application.retryAfter()));
        }
    }
}
