package dev.limiter.redis;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.FixedWindowSnapshot;
import dev.limiter.spi.algorithm.SlidingWindowSnapshot;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/fixed_window.lua} and {@code lua/algorithm/sliding_window.lua}, which are asked alike. */
final class WindowScript implements PolicyScript {
    private static final int PHASE_AT = 24;

    private final AlgorithmFile file;
    private final Policy policy;
    private final byte[] name;
    private final byte[] alignedOfOne;

    WindowScript(AlgorithmFile file, Policy policy) {
        this.file = file;
        this.policy = policy;
        this.name = Argument.of(file.title());
        this.alignedOfOne = packed(1, 0);
    }

    private byte[] packed(long cost, long phase) {
        return Argument.packed(cost, policy.limit(), policy.windowMicros(), phase);
    }

    @Override
    public AlgorithmFile file() {
        return file;
    }

    @Override
    public byte[] name() {
        return name;
    }

    @Override
    public byte[] arguments(Check demand) {
        long phase = demand.phaseMicros();
        if (demand.cost() > 1) {
            return packed(demand.cost(), phase);
        }
        if (phase == 0) {
            return alignedOfOne;
        }
        byte[] own = alignedOfOne.clone();
        Argument.put(own, PHASE_AT, phase);
        return own;
    }

    private boolean isSliding() {
        return file == AlgorithmFile.SLIDING_WINDOW;
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return isSliding()
                ? new SlidingWindowSnapshot(reply.nextFits(), reply.next(), reply.next(), reply.next())
                : new FixedWindowSnapshot(reply.nextFits(), reply.next(), reply.next());
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        long ends = isSliding()
                ? ((SlidingWindowSnapshot) then).endsMicros(thenMicros)
                : ((FixedWindowSnapshot) then).endsMicros(thenMicros);
        return Argument.packed(demand.cost(), ends);
    }
}
