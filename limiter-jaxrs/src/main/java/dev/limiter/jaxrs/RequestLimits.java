package dev.limiter.jaxrs;

import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import java.util.List;

/** The limits of a request, from its account. */
final class RequestLimits implements RateLimits {
    private final Account account;

    RequestLimits(Account account) {
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
    private Charge state(Demand asked) {
        Charge since = account.chargeOf(asked.policy().name());
        if (since != null) {
            return new Charge(
                    since.policy(),
                    0,
                    0,
                    since.remaining(),
                    since.nextAfterMicros(),
                    since.resetAfterMicros(),
                    since.fallback());
        }
        Answer last = null;
        for (Decision decision : account.decisions()) {
            for (Answer answer : decision.answers()) {
                if (answer.policy().equals(asked.policy())) {
                    last = answer;
                }
            }
        }
        return Charge.ofNothing(last);
    }

    @Override
    public Charge charge(String policy, long units) {
        Policy spared = account.spared(policy);
        if (spared != null) {
            Charge.requireChargeable(spared, units);
            return new Charge(spared, 0, units, spared.capacity(), 0, 0);
        }
        Demand asked = account.demand(policy);
        Charge.requireChargeable(asked.policy(), units);
        if (units == 0) {
            return state(asked);
        }
        Charge charge = account.deployment().limiter().charge(asked.policy(), asked.key(), units);
        account.charged(charge);
        return charge;
    }

    @Override
    public Policy policy(String name) {
        return deployed().policy(name);
    }

    @Override
    public DeployedLimits deployed() {
        return new LimitsOfDeployment(account.deployment());
    }

    @Override
    public void acquire(String policy, PartitionKey key) {
        Deployment deployment = account.deployment();
        Limit limit = Limit.of(deployment.policies().named(policy));
        Quota quota = limit.policy().numbers().of(null);
        if (quota == null || !deployment.policies().enabled()) {
            account.spare(limit);
            return;
        }
        Group group = new Group(List.of(Demand.of(quota.policy(), key)), limit.isRefundable());
        Decision.Rejected rejected = Decider.decide(account, new Asked.Question(List.of(limit), List.of(quota), group));
        if (rejected != null) {
            throw new RateLimitExceededException(rejected, account.retryAfterSeconds());
        }
    }
}
