package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.Ask;
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
    public <A> A answer(Ask<A> ask) {
        return memory.answer(ask);
    }

    @Override
    Decision acquire(CheckGroup group, long began) {
        return memory.acquire(group);
    }

    @Override
    List<CheckResult> peek(CheckGroup group, long began) {
        return memory.peek(group);
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
