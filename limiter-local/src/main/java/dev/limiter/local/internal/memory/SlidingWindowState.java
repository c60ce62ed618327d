package dev.limiter.local.internal.memory;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.SlidingWindow;
import dev.limiter.internal.algorithm.StateSnapshot;

/**
 * Two counters and the instant at which the younger one's window ends:
 * {@code lua/algorithm/sliding_window.lua}.
 */
final class SlidingWindowState extends CountingState<SlidingWindow.Snapshot> {
    private boolean touched;
    private long endsMicros;
    private long previous;
    private long current;
    private long windowMicros;

    @Override
    public StateSnapshot read(Check check, long nowMicros, boolean peek) {
        Policy policy = check.policy();
        windowMicros = policy.windowMicros();
        long ends = FixedWindowState.presentEnd(nowMicros, check.phaseMicros(), windowMicros);
        long before = 0;
        long present = 0;
        if (touched && endsMicros > nowMicros) {
            before = previous;
            present = current;
            if (endsMicros - nowMicros <= 2 * windowMicros) {
                ends = endsMicros;
            } else if (!peek) {
                endsMicros = ends;
            }
        } else if (touched && endsMicros + windowMicros > nowMicros) {
            before = current;
            ends = endsMicros + windowMicros;
        }
        long left = ends - nowMicros;
        boolean fits = SlidingWindow.Snapshot.fits(policy, before, present, left, check.cost());
        found = new SlidingWindow.Snapshot(fits, before, present, left);
        return found;
    }

    @Override
    void add(Policy policy, long units, long nowMicros) {
        touched = true;
        endsMicros = found.endsMicros(nowMicros);
        previous = found.previous();
        current = found.current() + units;
    }

    @Override
    public boolean refund(Check check, StateSnapshot then, long thenMicros, long nowMicros) {
        long counted = ((SlidingWindow.Snapshot) then).endsMicros(thenMicros);
        if (counted != endsMicros || counted <= nowMicros || current == 0) {
            return false;
        }
        current = Math.max(0, current - check.cost());
        return true;
    }

    @Override
    public long refundableForMicros(CheckResult result) {
        return result.resetAfterMicros() - windowMicros;
    }

    @Override
    public long idleAtMicros() {
        return touched ? endsMicros + windowMicros : Long.MIN_VALUE;
    }
}
