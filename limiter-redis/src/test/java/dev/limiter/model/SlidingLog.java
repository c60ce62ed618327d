package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Policy;
import java.util.Arrays;

/**
 * The instant of each unit, oldest first. A unit counts while it is younger than a window, seen
 * from now or from the youngest unit, whichever is later: the log's time never runs back.
 */
final class SlidingLog implements State {
    static final SlidingLog FRESH = new SlidingLog(new long[0]);

    private final long[] instants;

    private SlidingLog(long[] instants) {
        this.instants = instants;
    }

    @Override
    public SlidingLog repaired(Check check, long nowMicros) {
        if (instants.length == 0 || youngest() <= nowMicros + check.policy().windowMicros()) {
            return this;
        }
        long units = Math.min(used(check, youngest()), check.policy().limit());
        return FRESH.with(units, check, nowMicros);
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return holds(check.cost(), check, nowMicros);
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        return used(check, nowMicros) + units <= check.policy().limit();
    }

    @Override
    public SlidingLog taken(Check check, long nowMicros) {
        return with(check.cost(), check, nowMicros);
    }

    @Override
    public Charged charged(long units, Check check, long nowMicros) {
        long room = Math.max(0, 2 * check.policy().limit() - used(check, nowMicros));
        long charged = Math.min(Math.min(units, Policy.MAX_LOG_COST), room);
        return charged == 0 ? new Charged(this, 0) : new Charged(with(charged, check, nowMicros), charged);
    }

    /** Units outside stay out, also when the youngest unit, which put them there, is gone. */
    @Override
    public Refunded refunded(Check check, State then, long nowMicros) {
        long instant = ((SlidingLog) then).youngest();
        boolean inside = instant + check.policy().windowMicros() > nowMicros;
        if (!inside || instants.length == 0 || youngest() < instant) {
            return new Refunded(this, false);
        }
        SlidingLog rest = new SlidingLog(Arrays.copyOfRange(instants, outside(check, nowMicros), instants.length));
        long back = Math.min(rest.upTo(instant) - rest.upTo(instant - 1), check.cost());
        return new Refunded(rest.without(instant, (int) back), back > 0);
    }

    private long youngest() {
        return instants[instants.length - 1];
    }

    private long used(Check check, long nowMicros) {
        return instants.length - outside(check, nowMicros);
    }

    /** How many do not count: the oldest ones. */
    private int outside(Check check, long nowMicros) {
        if (instants.length == 0) {
            return 0;
        }
        return upTo(Math.max(nowMicros, youngest()) - check.policy().windowMicros());
    }

    /** How many are at this instant or before. */
    private int upTo(long instant) {
        int low = 0;
        int high = instants.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (instants[middle] <= instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private SlidingLog with(long units, Check check, long nowMicros) {
        long instant = instants.length == 0 ? nowMicros : Math.max(nowMicros, youngest());
        int outside = outside(check, nowMicros);
        long[] longer = Arrays.copyOfRange(instants, outside, (int) (instants.length + units));
        Arrays.fill(longer, instants.length - outside, longer.length, instant);
        return new SlidingLog(longer);
    }

    private SlidingLog without(long instant, int units) {
        int end = upTo(instant);
        long[] rest = Arrays.copyOf(instants, instants.length - units);
        System.arraycopy(instants, end, rest, end - units, instants.length - end);
        return new SlidingLog(rest);
    }
}
