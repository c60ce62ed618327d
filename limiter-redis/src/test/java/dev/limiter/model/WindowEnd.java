package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Policy;

/** Where the windows of a partition lie. */
final class WindowEnd {

    private WindowEnd() {}

    /** The end of the window that contains now, which is the first instant outside of it. */
    static long of(Check check, long nowMicros) {
        Policy policy = check.policy();
        if (policy.period() != null) {
            return CalendarEnd.of(policy.period()).after(nowMicros);
        }
        long window = policy.windowMicros();
        long phase = policy.aligned() ? 0 : check.key().spread() % window;
        return nowMicros - Math.floorMod(nowMicros - phase, window) + window;
    }

    /** Whether an end lies further ahead than a clock that is a window wrong can explain. */
    static boolean isTooFar(long endMicros, Check check, long nowMicros) {
        return endMicros - nowMicros > 2 * check.policy().windowMicros();
    }
}
