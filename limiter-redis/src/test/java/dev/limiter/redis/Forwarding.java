package dev.limiter.redis;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.util.List;

/** A limiter that says what it is about to be asked, and may throw instead. */
public abstract class Forwarding implements RateLimiter {
    private final RateLimiter limiter;

    public Forwarding(RateLimiter limiter) {
        this.limiter = limiter;
    }

    public abstract void about(String call, List<CheckGroup> groups);

    @Override
    public Decision acquire(CheckGroup group) {
        about("acquire", List.of(group));
        return limiter.acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        about("each", groups);
        return limiter.acquireEach(groups);
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        about("peek", List.of(group));
        return limiter.peek(group);
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        return limiter.charge(policy, key, units);
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        List<Check> demands = admission.receipt().demands();
        about("refund", demands.isEmpty() ? List.of() : List.of(new CheckGroup(demands)));
        return limiter.refund(admission);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        limiter.reset(policy, key);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return limiter.storeKey(policy, key);
    }

    @Override
    public void close() {
        limiter.close();
    }
}
