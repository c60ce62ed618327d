package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.Concurrency;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/concurrency.lua}. */
final class LeaseScript implements PolicyScript {
    private static final byte[] NAME = Packed.of(StateKind.CONCURRENCY.title());
    private final byte[] numbers;

    LeaseScript(Policy policy) {
        this.numbers = Packed.packed(policy.limit(), policy.windowMicros());
    }

    @Override
    public StateKind file() {
        return StateKind.CONCURRENCY;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Check demand) {
        return Packed.joined(numbers, Packed.of(demand.lease()));
    }

    /** One: each asks for a lease of its own, or for the same once more. */
    @Override
    public int mostAtOnce(Check demand) {
        return 1;
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return new Concurrency.Snapshot(reply.nextFits(), reply.next(), reply.nextFlag());
    }

    @Override
    public byte[] debt(Policy policy, long units) {
        throw new IllegalStateException("nothing can be charged to leases");
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        return Packed.of(demand.lease());
    }
}
