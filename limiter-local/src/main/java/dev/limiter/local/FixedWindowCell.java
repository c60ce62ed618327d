package dev.limiter.local;

import dev.limiter.Policy;
import dev.limiter.spi.Reading;

/** A counter and the instant at which its window ends; the rules are those of {@code lua/algorithm/fixed_window.lua}. */
final class FixedWindowCell implements Cell {
    private long endsMicros = Long.MIN_VALUE;
    private long used;
    private long readEndsMicros;
    private long readUsed;

    @Override
    public Reading read(Policy policy, long cost, long nowMicros, long phaseMicros) {
        long window = policy.windowMicros();
        if (endsMicros <= nowMicros) {
            readEndsMicros = presentEnd(nowMicros, phaseMicros, window);
            readUsed = 0;
        } else {
            if (endsMicros - nowMicros > 2 * window) {
                endsMicros = presentEnd(nowMicros, phaseMicros, window);
            }
            readEndsMicros = endsMicros;
            readUsed = used;
        }
        return new Reading.OfWindow(readUsed + cost <= policy.limit(), readUsed, readEndsMicros - nowMicros);
    }

    @Override
    public void charge(Policy policy, long cost, long nowMicros) {
        endsMicros = readEndsMicros;
        used = readUsed + cost;
    }

    private static long presentEnd(long nowMicros, long phaseMicros, long window) {
        return nowMicros - Math.floorMod(nowMicros - phaseMicros, window) + window;
    }

    @Override
    public long idleAtMicros() {
        return endsMicros;
    }
}
