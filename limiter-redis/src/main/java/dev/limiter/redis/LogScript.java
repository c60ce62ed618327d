package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.LogReading;
import dev.limiter.spi.Reading;

/** {@code lua/algorithm/sliding_log.lua}. */
final class LogScript implements PolicyScript {
    private static final byte[] NAME = Argument.of(AlgorithmFile.SLIDING_LOG.title());
    private final Policy policy;
    private final byte[] ofOne;

    LogScript(Policy policy) {
        this.policy = policy;
        this.ofOne = packed(1);
    }

    private byte[] packed(long cost) {
        return Argument.packed(cost, policy.limit(), policy.windowMicros());
    }

    @Override
    public AlgorithmFile file() {
        return AlgorithmFile.SLIDING_LOG;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Demand demand) {
        return demand.cost() == 1 ? ofOne : packed(demand.cost());
    }

    /** All their units are pushed at once. */
    @Override
    public int mostAtOnce(Demand demand) {
        return (int) (Policy.MAX_LOG_COST / demand.cost());
    }

    @Override
    public Reading reading(Reply reply) {
        return new LogReading(reply.nextFits(), reply.next(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] debt(Policy same, long units) {
        return PolicyScript.super.debt(policy, Math.min(units, Policy.MAX_LOG_COST));
    }

    @Override
    public byte[] refund(Demand demand, Reading then, long thenMicros) {
        long recorded = ((LogReading) then).recordedMicros(policy, thenMicros);
        return Argument.packed(demand.cost(), recorded, policy.windowMicros());
    }
}
