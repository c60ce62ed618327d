package dev.limiter.redis;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.Receipt;
import dev.limiter.spi.ForwardingRateLimiter;
import java.util.List;

/** A limiter that announces each call to a subclass, which may throw instead. */
public abstract class Forwarding extends ForwardingRateLimiter {

    public Forwarding(RateLimiter limiter) {
        super(limiter);
    }

    public abstract void about(String call, List<CheckGroup> groups);

    @Override
    public Decision acquire(CheckGroup group) {
        about("acquire", List.of(group));
        return super.acquire(group);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        about("each", groups);
        return super.acquireEach(groups);
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        about("peek", List.of(group));
        return super.peek(group);
    }

    @Override
    public boolean refund(Receipt receipt) {
        List<Check> checks = receipt.checks();
        about("refund", checks.isEmpty() ? List.of() : List.of(new CheckGroup(checks)));
        return super.refund(receipt);
    }

    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        about("settle", List.of(CheckGroup.of(Check.of(policy, key))));
        return super.refundThenPeek(receipt, policy, key);
    }
}
