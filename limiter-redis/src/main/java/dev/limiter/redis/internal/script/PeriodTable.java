package dev.limiter.redis.internal.script;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.Packed;

/**
 * The boundaries of the present period of a policy and of its neighbours, as arguments of
 * {@code lua/algorithm/fixed_window.lua}. The clock of Redis chooses among them, because a script
 * knows no time zone.
 */
final class PeriodTable {
    private final CalendarPeriod period;
    private final StoreClock clock;
    private volatile Packing recent;

    private record Packing(long startMicros, long endMicros, byte[] bytes) {}

    PeriodTable(CalendarPeriod period, StoreClock clock) {
        this.period = period;
        this.clock = clock;
    }

    /** The boundaries around the present period; made once for each period. */
    byte[] boundaries() {
        long now = clock.nowMicros();
        Packing known = recent;
        if (known == null || now < known.startMicros || now >= known.endMicros) {
            long[] boundaries = period.boundaries(now);
            known = new Packing(boundaries[1], boundaries[2], packed(boundaries));
            recent = known;
        }
        return known.bytes;
    }

    private byte[] packed(long[] boundaries) {
        byte[] packed = Packed.packed(boundaries);
        return period.isMovable() ? Packed.joined(packed, Packed.packed(period.shortestMicros())) : packed;
    }
}
