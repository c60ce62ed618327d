package dev.limiter.jaxrs;

import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import java.util.List;

/** A limiter that is unavailable when it is told to be. */
class FailingStore implements RateLimiter {
    private final RateLimiter limiter;
    boolean fails;

    FailingStore(RateLimiter limiter) {
        this.limiter = limiter;
    }

    private RateLimiter limiter() {
        if (fails) {
            throw new StoreUnavailableException("the store is down", null);
        }
        return limiter;
    }

    @Override
    public Decision acquire(Group group) {
        return limiter().acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        return limiter().acquireEach(groups);
    }

    @Override
    public List<Answer> peek(Group group) {
        return limiter().peek(group);
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        return limiter().charge(policy, key, units);
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        return limiter().refund(admission);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        limiter().reset(policy, key);
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
