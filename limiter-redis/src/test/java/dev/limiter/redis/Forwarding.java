package dev.limiter.redis;

import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.util.List;

/** A limiter that says what it is about to be asked, and may throw instead. */
abstract class Forwarding implements RateLimiter {
    private final RateLimiter limiter;

    Forwarding(RateLimiter limiter) {
        this.limiter = limiter;
    }

    abstract void about(String call, List<Group> groups);

    @Override
    public Decision acquire(Group group) {
        about("acquire", List.of(group));
        return limiter.acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        about("each", groups);
        return limiter.acquireEach(groups);
    }

    @Override
    public List<Answer> peek(Group group) {
        about("peek", List.of(group));
        return limiter.peek(group);
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        return limiter.charge(policy, key, units);
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        List<Demand> demands = admission.receipt().demands();
        about("refund", demands.isEmpty() ? List.of() : List.of(new Group(demands)));
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
