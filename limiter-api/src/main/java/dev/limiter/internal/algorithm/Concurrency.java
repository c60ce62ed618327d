package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;

/** Leases in flight: {@code lua/algorithm/concurrency.lua}. */
public final class Concurrency extends AlgorithmRules {

    private final byte[] packed;

    Concurrency(PolicyMembers members) {
        super(StateKind.CONCURRENCY, members);
        this.packed = Packed.packed(limit, windowMicros);
    }

    @Override
    public long maxCost() {
        return 1;
    }

    @Override
    public long mostInAnyWindow() {
        return limit;
    }

    @Override
    public boolean leases() {
        return true;
    }

    @Override
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return tighter instanceof Concurrency && tighter.limit <= limit;
    }

    /** When leases come back is not known. */
    @Override
    public long remainingHoldsMicros(CheckResult result) {
        return 0;
    }

    @Override
    public byte[] arguments(Check check) {
        return Packed.joined(packed, Packed.of(check.lease()));
    }

    @Override
    public StateSnapshot read(PackedReader reply) {
        return new Snapshot(reply.nextFits(), reply.next(), reply.nextFlag());
    }

    /** A single check: each asks for a lease of its own, or renews one. */
    @Override
    public int maxMerged(Check check) {
        return 1;
    }

    @Override
    public byte[] refundArguments(Check check, StateSnapshot before, long atMicros) {
        return Packed.of(check.lease());
    }

    /**
     * Leases in flight.
     *
     * @param fits whether the lease is held already, or fewer than limit are
     * @param live leases that have not expired, the asked for one among them if it is held
     * @param held whether the asked for lease is one of them, so that it is renewed
     */
    public record Snapshot(boolean fits, long live, boolean held) implements StateSnapshot {

        /** When others end is not known: a hint. */
        private static final long HINT_MICROS = 1_000_000;

        @Override
        public CheckResult result(Check check, boolean charged) {
            long after = charged && !held ? live + 1 : live;
            long hint = after == 0 ? 0 : HINT_MICROS;
            long remaining = Math.max(0, check.policy().limit() - after);
            return new CheckResult(check.policy(), fits, remaining, fits ? 0 : HINT_MICROS, hint, hint);
        }

        @Override
        public Snapshot after(Check check, long times) {
            return new Snapshot(true, held || times == 0 ? live : live + 1, held || times > 0);
        }

        @Override
        public boolean renews() {
            return held;
        }
    }
}
