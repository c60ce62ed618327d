package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.LeaseReading;
import dev.limiter.spi.Reading;

/** {@code lua/algorithm/concurrency.lua}. */
final class LeaseScript implements PolicyScript {
    private static final byte[] NAME = Argument.of(AlgorithmFile.CONCURRENCY.title());
    private final byte[] numbers;

    LeaseScript(Policy policy) {
        this.numbers = Argument.packed(policy.limit(), policy.windowMicros());
    }

    @Override
    public AlgorithmFile file() {
        return AlgorithmFile.CONCURRENCY;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Demand demand) {
        return Argument.joined(numbers, Argument.of(demand.lease()));
    }

    /** One: each asks for a lease of its own, or for the same once more. */
    @Override
    public int mostAtOnce(Demand demand) {
        return 1;
    }

    @Override
    public Reading reading(Reply reply) {
        return new LeaseReading(reply.nextFits(), reply.next(), reply.nextFlag());
    }

    @Override
    public byte[] debt(Policy policy, long units) {
        throw new IllegalStateException("nothing can be charged to leases");
    }

    @Override
    public byte[] refund(Demand demand, Reading then, long thenMicros) {
        return Argument.of(demand.lease());
    }
}
