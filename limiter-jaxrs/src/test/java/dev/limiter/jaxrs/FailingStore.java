package dev.limiter.jaxrs;

import dev.limiter.ChargeResult;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.Receipt;
import java.util.List;

/** A limiter that can be made unavailable. */
public class FailingStore implements RateLimiter {
    private final RateLimiter limiter;
    public boolean fails;

    public FailingStore(RateLimiter limiter) {
        this.limiter = limiter;
    }

    /** What answers the calls. */
    protected RateLimiter answering() {
        if (fails) {
            throw new StoreUnavailableException("the store is down", null);
        }
        return limiter;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        return answering().acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        return answering().acquireEach(groups);
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        return answering().peek(group);
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        return answering().charge(policy, key, units);
    }

    @Override
    public boolean refund(Receipt receipt) {
        return answering().refund(receipt);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        answering().reset(policy, key);
    }

    @Override
    public Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        return answering().usage(policy, key, period);
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
