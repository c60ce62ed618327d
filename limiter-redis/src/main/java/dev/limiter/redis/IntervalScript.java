package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.IntervalReading;
import dev.limiter.spi.Reading;

/** {@code lua/algorithm/interval.lua}. */
final class IntervalScript implements PolicyScript {
    private static final byte[] NAME = Argument.of(AlgorithmFile.INTERVAL.title());
    private final Policy policy;
    private final byte[] ofOne;

    IntervalScript(Policy policy) {
        this.policy = policy;
        this.ofOne = packed(1, 1);
    }

    private byte[] packed(long need, long cost) {
        return Argument.packed(need, cost, policy.limit(), policy.windowMicros(), policy.burst());
    }

    @Override
    public AlgorithmFile file() {
        return AlgorithmFile.INTERVAL;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Demand demand) {
        return demand.cost() == 1 ? ofOne : packed(IntervalReading.need(demand), demand.cost());
    }

    @Override
    public Reading reading(Reply reply) {
        return new IntervalReading(reply.nextFits(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] refund(Demand demand, Reading then, long thenMicros) {
        long phase = ((IntervalReading) then).phaseMicros(policy, thenMicros);
        return Argument.packed(demand.cost(), policy.limit(), policy.windowMicros(), phase);
    }
}
