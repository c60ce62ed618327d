package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.SlidingLog;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/sliding_log.lua}. */
public final class LogScript implements PolicyScript {
    private static final byte[] NAME = Packed.of(StateKind.SLIDING_LOG.title());
    private final Policy policy;
    private final byte[] ofOne;

    public LogScript(Policy policy) {
        this.policy = policy;
        this.ofOne = packed(1);
    }

    private byte[] packed(long cost) {
        return Packed.packed(cost, policy.limit(), policy.windowMicros());
    }

    @Override
    public StateKind file() {
        return StateKind.SLIDING_LOG;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Check demand) {
        return demand.cost() == 1 ? ofOne : packed(demand.cost());
    }

    /** All their units are pushed at once. */
    @Override
    public int mostAtOnce(Check demand) {
        return (int) (Policy.MAX_LOG_COST / demand.cost());
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return new SlidingLog.Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public byte[] debt(Policy same, long units) {
        return PolicyScript.super.debt(policy, Math.min(units, Policy.MAX_LOG_COST));
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        long recorded = ((SlidingLog.Snapshot) then).recordedMicros(policy, thenMicros);
        return Packed.packed(demand.cost(), recorded, policy.windowMicros());
    }
}
