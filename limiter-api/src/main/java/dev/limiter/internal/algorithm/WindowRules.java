package dev.limiter.internal.algorithm;

import dev.limiter.Check;

/** Windows, whose scripts have the same arguments. */
abstract class WindowRules extends AlgorithmRules {
    private static final int PHASE_AT = 24;

    private final byte[] alignedOfOne;
    private final long mostCounted;
    private final long keptMicros;

    /**
     * @param mostCounted units for which the script and the memory find room in a window
     * @param keptMicros how long a count is readable after its end; 0 unless it is kept
     */
    WindowRules(StateKind kind, PolicyMembers members, long mostCounted, long keptMicros) {
        super(kind, members);
        this.mostCounted = mostCounted;
        this.keptMicros = keptMicros;
        this.alignedOfOne = packed(1, 0);
    }

    private byte[] packed(long cost, long phase) {
        return Packed.packed(cost, mostCounted, windowMicros, phase - keptMicros);
    }

    /** {@return how long a count is readable after its end, in µs; 0 unless it is kept} */
    public final long keptMicros() {
        return keptMicros;
    }

    /** {@return units for which there is room in a window: the limit, unless it is soft} */
    public final long mostCounted() {
        return mostCounted;
    }

    @Override
    public final byte[] arguments(Check check) {
        long phase = check.phaseMicros();
        if (check.cost() > 1) {
            return packed(check.cost(), phase);
        }
        if (phase == 0) {
            return alignedOfOne;
        }
        byte[] own = alignedOfOne.clone();
        Packed.put(own, PHASE_AT, phase);
        return own;
    }
}
