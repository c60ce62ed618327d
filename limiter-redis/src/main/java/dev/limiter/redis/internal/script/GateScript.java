package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.Gate;
import dev.limiter.spi.algorithm.StateSnapshot;

/** {@code lua/algorithm/gate.lua}. */
final class GateScript implements PolicyScript {
    private static final byte[] NAME = Packed.of(StateKind.GATE.title());
    private static final byte[] NOTHING = {};
    private final byte[] window;

    GateScript(Policy policy) {
        this.window = Packed.packed(policy.windowMicros());
    }

    @Override
    public StateKind file() {
        return StateKind.GATE;
    }

    @Override
    public byte[] name() {
        return NAME;
    }

    @Override
    public byte[] arguments(Check demand) {
        return window;
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return new Gate.Snapshot(reply.nextFits(), reply.next());
    }

    /** The span for which it is closed, in µs. */
    @Override
    public byte[] debt(Policy policy, long units) {
        return Packed.packed(Gate.Snapshot.closingMicros(policy, units));
    }

    /** Who passed took nothing. */
    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        return NOTHING;
    }
}
