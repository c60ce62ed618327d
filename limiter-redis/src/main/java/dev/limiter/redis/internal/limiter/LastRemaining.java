package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The units that partitions had left when this process last heard of them. It only chooses an
 * order, so it may be out of date, and a partition may take the place of another.
 */
final class LastRemaining {
    /** The room of a partition that this process has not heard of. */
    static final double UNKNOWN = 0.5;

    private static final int PLACES = 1 << 14;
    private static final int UNIT_BITS = 40;
    private static final long MOST_UNITS = (1L << UNIT_BITS) - 1;

    /** The upper bits tell the partition, the lower ones are the units and 1; 0 for none. */
    private final AtomicLongArray places = new AtomicLongArray(PLACES);

    /**
     * How often such checks would still fit together: less than {@link #UNKNOWN} if one of them
     * would not fit, the less the more it lacks; otherwise {@link #UNKNOWN} if one is unknown,
     * otherwise at least 1. Checks that cannot reject do not count.
     */
    double room(List<Check> checks) {
        double room = Double.MAX_VALUE;
        for (Check check : checks) {
            if (check.policy().rejects()) {
                room = Math.min(room, room(check));
            }
        }
        return room;
    }

    private double room(Check check) {
        long hash = hash(check);
        long place = places.get(place(hash));
        if (place == 0 || place >>> UNIT_BITS != hash >>> UNIT_BITS) {
            return UNKNOWN;
        }
        long units = (place & MOST_UNITS) - 1;
        double times = (double) units / check.cost();
        return times < 1 ? UNKNOWN * times : times;
    }

    /** Notes results of the store, one for each check. */
    void saw(List<Check> checks, List<CheckResult> results) {
        for (int i = 0; i < results.size(); i++) {
            saw(checks.get(i), results.get(i).remaining());
        }
    }

    /** Notes that the checks would be decided by no store: they reject a group as well. */
    void sawNone(List<Check> checks) {
        checks.forEach(check -> saw(check, 0));
    }

    /** Forgets what is known of the checks, because units of theirs come back. */
    void forget(List<Check> checks) {
        checks.forEach(check -> places.set(place(hash(check)), 0));
    }

    private void saw(Check check, long units) {
        long hash = hash(check);
        places.set(place(hash), hash >>> UNIT_BITS << UNIT_BITS | Math.min(units + 1, MOST_UNITS));
    }

    private static int place(long hash) {
        return (int) hash & PLACES - 1;
    }

    private static long hash(Check check) {
        long hash = (check.key().stableHash() ^ check.policy().name().hashCode()) * 0x9E3779B97F4A7C15L;
        return hash ^ hash >>> 32;
    }
}
