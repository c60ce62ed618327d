package dev.limiter.redis.internal.limiter;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.Receipt;
import dev.limiter.spi.Signals;
import java.util.List;

/**
 * Decides in memory what the limiter of a cluster asks of Redis. The slot of a policy is the first
 * letter of its name.
 */
class SlotsInMemory extends RedisRateLimiter {
    private final RateLimiter memory;

    SlotsInMemory(RateLimiter memory) {
        super(null, null, Signals.NONE, "memory", () -> 0);
        this.memory = memory;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        return memory.acquire(group);
    }

    @Override
    Decision acquire(CheckGroup group, long began) {
        return acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        return memory.acquireEach(groups);
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        return memory.peek(group);
    }

    @Override
    List<CheckResult> peek(CheckGroup group, long began) {
        return peek(group);
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        return memory.charge(policy, key, units);
    }

    @Override
    public boolean refund(Receipt receipt) {
        return memory.refund(receipt);
    }

    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        return memory.refundThenPeek(receipt, policy, key);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        memory.reset(policy, key);
    }

    @Override
    public Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        return memory.usage(policy, key, period);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return memory.storeKey(policy, key);
    }

    static int slot(Check check) {
        return check.policy().name().charAt(0);
    }

    @Override
    public void close() {
        memory.close();
    }
}
