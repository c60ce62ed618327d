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
    public SlidingLog repaired(Check demand, long nowMicros) {
        if (instants.length == 0 || youngest() <= nowMicros + demand.policy().windowMicros()) {
            return this;
        }
        long units = Math.min(used(demand, youngest()), demand.policy().limit());
        return FRESH.with(units, demand, nowMicros);
    }

    @Override
    public boolean fits(Check demand, long nowMicros) {
        return holds(demand.cost(), demand, nowMicros);
    }

    @Override
    public boolean holds(long units, Check demand, long nowMicros) {
        return used(demand, nowMicros) + units <= demand.policy().limit();
    }

    @Override
    public SlidingLog taken(Check demand, long nowMicros) {
        return with(demand.cost(), demand, nowMicros);
    }

    @Override
    public Charged charged(long units, Check demand, long nowMicros) {
        long room = Math.max(0, 2 * demand.policy().limit() - used(demand, nowMicros));
        long charged = Math.min(Math.min(units, Policy.MAX_LOG_COST), room);
        return charged == 0 ? new Charged(this, 0) : new Charged(with(charged, demand, nowMicros), charged);
    }

    /** Units outside stay out, also when the youngest unit, which put them there, is gone. */
    @Override
    public Refunded refunded(Check demand, State then, long nowMicros) {
        long instant = ((SlidingLog) then).youngest();
        boolean inside = instant + demand.policy().windowMicros() > nowMicros;
        if (!inside || instants.length == 0 || youngest() < instant) {
            return new Refunded(this, false);
        }
        SlidingLog rest = new SlidingLog(Arrays.copyOfRange(instants, outside(demand, nowMicros), instants.length));
        long back = Math.min(rest.upTo(instant) - rest.upTo(instant - 1), demand.cost());
        return new Refunded(rest.without(instant, (int) back), back > 0);
    }

    private long youngest() {
        return instants[instants.length - 1];
    }

    private long used(Check demand, long nowMicros) {
        return instants.length - outside(demand, nowMicros);
    }

    /** How many do not count: the oldest ones. */
    private int outside(Check demand, long nowMicros) {
        if (instants.length == 0) {
            return 0;
        }
        return upTo(Math.max(nowMicros, youngest()) - demand.policy().windowMicros());
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

    private SlidingLog with(long units, Check demand, long nowMicros) {
        long instant = instants.length == 0 ? nowMicros : Math.max(nowMicros, youngest());
        int outside = outside(demand, nowMicros);
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
