package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.IntervalBucket;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/interval.lua}. */
final class IntervalScript implements PolicyScript {
    private static final byte[] NAME = Packed.of(StateKind.INTERVAL.title());
    private final Policy policy;
    private final byte[] ofOne;

    IntervalScript(Policy policy) {
        this.policy = policy;
        this.ofOne = packed(1, 1);
    }

    private byte[] packed(long need, long cost) {
        return Packed.packed(need, cost, policy.limit(), policy.windowMicros(), policy.burst());
    }

    @Override
    public StateKind file() {
        return StateKind.INTERVAL;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Check demand) {
        return demand.cost() == 1 ? ofOne : packed(IntervalBucket.Snapshot.need(demand), demand.cost());
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return new IntervalBucket.Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        long phase = ((IntervalBucket.Snapshot) then).phaseMicros(policy, thenMicros);
        return Packed.packed(demand.cost(), policy.limit(), policy.windowMicros(), phase);
    }
}
