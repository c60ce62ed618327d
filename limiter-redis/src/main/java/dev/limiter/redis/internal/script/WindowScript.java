package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.FixedWindow;
import dev.limiter.spi.algorithm.SlidingWindow;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/fixed_window.lua} and {@code lua/algorithm/sliding_window.lua}, which are asked alike. */
final class WindowScript implements PolicyScript {
    private static final int PHASE_AT = 24;

    private final StateKind file;
    private final Policy policy;
    private final byte[] name;
    private final byte[] alignedOfOne;

    WindowScript(StateKind file, Policy policy) {
        this.file = file;
        this.policy = policy;
        this.name = Packed.of(file.title());
        this.alignedOfOne = packed(1, 0);
    }

    private byte[] packed(long cost, long phase) {
        return Packed.packed(cost, policy.limit(), policy.windowMicros(), phase);
    }

    @Override
    public StateKind file() {
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
        Packed.put(own, PHASE_AT, phase);
        return own;
    }

    private boolean isSliding() {
        return file == StateKind.SLIDING_WINDOW;
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return isSliding()
                ? new SlidingWindow.Snapshot(reply.nextFits(), reply.next(), reply.next(), reply.next())
                : new FixedWindow.Snapshot(reply.nextFits(), reply.next(), reply.next());
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        long ends = isSliding()
                ? ((SlidingWindow.Snapshot) then).endsMicros(thenMicros)
                : ((FixedWindow.Snapshot) then).endsMicros(thenMicros);
        return Packed.packed(demand.cost(), ends);
    }
}
