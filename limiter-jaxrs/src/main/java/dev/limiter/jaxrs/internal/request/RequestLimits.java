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

/** What the method of a request may ask of its limits. */
public final class RequestLimits implements RateLimits {
    private final Factory application;
    private final RequestState account;

    private RequestLimits(Factory application, RequestState account) {
        this.application = application;
        this.account = account;
    }

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
        RateLimits of(RequestState account) {
            return new RequestLimits(this, account);
        }
    }

    @Override
    public List<Decision> decisions() {
        return account.decisions();
    }

    @Override
    public long remaining(String policy) {
        Policy spared = account.spared(policy);
        if (spared != null) {
            return spared.capacity();
        }
        return state(account.demand(policy)).remaining();
    }

    /** A charge of nothing: what was left of a policy after its last decision, or after the last charge since. */
    private ChargeResult state(Check asked) {
        ChargeResult since = account.chargeOf(asked.policy().name());
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
        for (Decision decision : account.decisions()) {
            for (CheckResult answer : decision.answers()) {
                if (answer.policy().equals(asked.policy())) {
                    last = answer;
                }
            }
        }
        return ChargeResult.ofNothing(last);
    }

    @Override
    public ChargeResult charge(String policy, long units) {
        Policy spared = account.spared(policy);
        if (spared != null) {
            ChargeResult.requireChargeable(spared, units);
            return new ChargeResult(spared, 0, units, spared.capacity(), 0, 0);
        }
        Check asked = account.demand(policy);
        ChargeResult.requireChargeable(asked.policy(), units);
        if (units == 0) {
            return state(asked);
        }
        ChargeResult charge = application.limiter().get().charge(asked.policy(), asked.key(), units);
        account.charged(charge);
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
        EffectivePolicy quota = limit.policy().quota();
        if (quota == null || !policies.enabled()) {
            account.spare(limit);
            return;
        }
        CheckGroup group = new CheckGroup(List.of(Check.of(quota.policy(), key)), limit.isRefundable());
        Decision.Rejected rejected = application
                .evaluator()
                .decide(account, new RequestDecision.Pending(List.of(limit), List.of(quota), group));
        if (rejected != null) {
            throw new RateLimitExceededException(rejected, account.retryAfterSeconds(application.retryAfter()));
        }
    }
}
