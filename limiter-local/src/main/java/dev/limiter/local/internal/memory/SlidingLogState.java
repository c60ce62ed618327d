package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.SlidingLog;
import dev.limiter.internal.algorithm.StateSnapshot;

/** The instants of admitted units, never falling: {@code lua/algorithm/sliding_log.lua}. */
final class SlidingLogState extends CountingState<SlidingLog.Snapshot> {
    private final InstantRing ring = new InstantRing();
    private long windowMicros;
    private int expired;
    private long debtMicros;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        Policy policy = check.policy();
        windowMicros = policy.windowMicros();
        InstantRing units = ring;
        if (ring.size() > 0 && ring.youngest() > nowMicros + windowMicros) {
            int inside = ring.size() - ring.countUpTo(ring.youngest() - windowMicros);
            units = peek ? new InstantRing() : ring;
            units.refill((int) Math.min(inside, policy.limit()), nowMicros);
        }
        found = read(units, policy.limit(), check.cost(), nowMicros);
        return found;
    }

    private SlidingLog.Snapshot read(InstantRing units, long limit, long cost, long nowMicros) {
        long edge = nowMicros - windowMicros;
        expired = units.size() > 0 ? units.countUpTo(Math.max(nowMicros, units.youngest()) - windowMicros) : 0;
        int used = units.size() - expired;
        boolean fits = used + cost <= limit;
        if (used == 0) {
            return new SlidingLog.Snapshot(fits, 0, 0, 0, 0);
        }
        long wait = fits ? 0 : units.at(expired + (int) (used + cost - limit) - 1) - edge;
        long next = units.at(expired + (int) Math.max(0, used - limit)) - edge;
        return new SlidingLog.Snapshot(fits, used, wait, next, units.youngest() - edge);
    }

    @Override
    void add(Policy policy, long units, long nowMicros) {
        long instant = ring.size() > 0 ? Math.max(nowMicros, ring.youngest()) : nowMicros;
        ring.dropOldest(expired);
        expired = 0;
        for (long unit = 0; unit < units; unit++) {
            ring.append(instant);
        }
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        long instant = ((SlidingLog.Snapshot) then).recordedMicros(check.policy(), thenMicros);
        if (instant + windowMicros <= nowMicros || ring.size() == 0 || ring.youngest() < instant) {
            return false;
        }
        // Units that have left the window of the youngest unit stay out, also when that unit is
        // gone.
        ring.dropOldest(ring.countUpTo(Math.max(nowMicros, ring.youngest()) - windowMicros));
        return ring.removeYoungest(instant, check.cost()) > 0;
    }

    @Override
    public void debt(Policy policy, long units, long nowMicros) {
        super.debt(policy, units, nowMicros);
        markDebt(nowMicros);
    }

    private void markDebt(long nowMicros) {
        debtMicros = ring.size() > 0 ? ring.youngest() : nowMicros;
    }

    @Override
    public StateSnapshot admit(Check check, StateSnapshot then, long slotMicros, long nowMicros) {
        StateSnapshot taken = super.admit(check, then, slotMicros, nowMicros);
        if (taken == null) {
            markDebt(nowMicros);
        }
        return taken;
    }

    /** The shown units keep the instant at which they were charged as debt. */
    @Override
    public StateSnapshot admitShown(Check check, long shown, CheckResult result, long nowMicros) {
        if (shown < check.cost()) {
            StateSnapshot taken = super.admitShown(check, shown, result, nowMicros);
            markDebt(nowMicros);
            return taken;
        }
        return new SlidingLog.Snapshot(true, found.used(), 0, 0, debtMicros + windowMicros - nowMicros);
    }

    /** Units younger than the last debt were shown by no result. */
    @Override
    public long content(Policy policy) {
        return Math.max(0, ring.countUpTo(debtMicros) - expired);
    }

    @Override
    public long idleAtMicros() {
        return ring.size() == 0 ? Long.MIN_VALUE : ring.youngest() + windowMicros;
    }

    @Override
    public long bytes() {
        return ring.bytes();
    }
}
