package dev.limiter.spi;

import dev.limiter.ChargeResult;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * Passes each call on to another limiter. A decorator overrides the methods that it changes. A
 * wait in {@link RateLimiter#acquire(CheckGroup, java.time.Duration)} asks the decorator each
 * time. A settlement calls charge, or refundThenPeek, of the decorator.
 */
public abstract class ForwardingRateLimiter implements RateLimiter {

    /** The limiter that is decorated. */
    protected final RateLimiter limiter;

    /**
     * A decorator.
     *
     * @param limiter the limiter that is decorated
     */
    protected ForwardingRateLimiter(RateLimiter limiter) {
        this.limiter = limiter;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        return limiter.acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        return limiter.acquireEach(groups);
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        return limiter.peek(group);
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        return limiter.charge(policy, key, units);
    }

    @Override
    public boolean refund(Receipt receipt) {
        return limiter.refund(receipt);
    }

    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        return limiter.refundThenPeek(receipt, policy, key);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        limiter.reset(policy, key);
    }

    @Override
    public Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        return limiter.usage(policy, key, period);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return limiter.storeKey(policy, key);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : limiter.unwrap(type);
    }

    @Override
    public void close() {
        limiter.close();
    }
}
