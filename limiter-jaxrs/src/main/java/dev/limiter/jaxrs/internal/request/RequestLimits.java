package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import java.util.List;

/** The limits of a request, from its account. */
public final class RequestLimits implements RateLimits {
    private final RequestState account;

    public RequestLimits(RequestState account) {
        this.account = account;
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
        ChargeResult charge = account.deployment().limiter().charge(asked.policy(), asked.key(), units);
        account.charged(charge);
        return charge;
    }

    @Override
    public Policy policy(String name) {
        return deployed().policy(name);
    }

    @Override
    public DeployedLimits deployed() {
        return new ApplicationLimits(account.deployment());
    }

    @Override
    public void acquire(String policy, PartitionKey key) {
        ApplicationRuntime deployment = account.deployment();
        Limit limit = Limit.of(deployment.policies().named(policy));
        EffectivePolicy quota = limit.policy().numbers().of(null);
        if (quota == null || !deployment.policies().enabled()) {
            account.spare(limit);
            return;
        }
        CheckGroup group = new CheckGroup(List.of(Check.of(quota.policy(), key)), limit.isRefundable());
        Decision.Rejected rejected =
                LimitEvaluator.decide(account, new RequestDecision.Pending(List.of(limit), List.of(quota), group));
        if (rejected != null) {
            throw new RateLimitExceededException(rejected, account.retryAfterSeconds());
        }
    }
}
