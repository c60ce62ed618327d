package dev.limiter.local;

import dev.limiter.Policy;
import dev.limiter.spi.Reading;

/** A ring of the instants of admitted units, never falling; the rules are those of {@code lua/algorithm/sliding_log.lua}. */
final class SlidingLogCell implements Cell {
    private long[] ring = new long[8];
    private int head;
    private int size;
    private int expired;
    private long windowMicros;

    @Override
    public Reading read(Policy policy, long cost, long nowMicros, long phaseMicros) {
        windowMicros = policy.windowMicros();
        long edge = nowMicros - windowMicros;
        if (size > 0 && youngest() > nowMicros + windowMicros) {
            restart(nowMicros, (int) Math.min(size - expired(youngest() - windowMicros), policy.limit()));
        }
        expired = size > 0 ? expired(Math.max(nowMicros, youngest()) - windowMicros) : 0;
        int used = size - expired;
        boolean fits = used + cost <= policy.limit();
        if (used == 0) {
            return new Reading.OfLog(fits, 0, 0, 0, 0);
        }
        long wait = fits ? 0 : at(expired + (int) (used + cost - policy.limit()) - 1) - edge;
        long next = at(expired + (int) Math.max(0, used - policy.limit())) - edge;
        return new Reading.OfLog(fits, used, wait, next, youngest() - edge);
    }

    @Override
    public void charge(Policy policy, long cost, long nowMicros) {
        long instant = size > 0 ? Math.max(nowMicros, youngest()) : nowMicros;
        head = (head + expired) % ring.length;
        size -= expired;
        for (long unit = 0; unit < cost; unit++) {
            append(instant);
        }
    }

    /** How many units at the head have left: the first that is younger than the edge is found by halving. */
    private int expired(long edge) {
        int outside = -1;
        int inside = size;
        while (inside - outside > 1) {
            int middle = (outside + inside) >>> 1;
            if (at(middle) <= edge) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        return inside;
    }

    @Override
    public long idleAtMicros() {
        return size == 0 ? Long.MIN_VALUE : youngest() + windowMicros;
    }

    private long youngest() {
        return at(size - 1);
    }

    private long at(int index) {
        return ring[(head + index) % ring.length];
    }

    private void restart(long nowMicros, int count) {
        head = 0;
        size = 0;
        for (int unit = 0; unit < count; unit++) {
            append(nowMicros);
        }
    }

    private void append(long instant) {
        if (size == ring.length) {
            long[] larger = new long[2 * ring.length];
            for (int i = 0; i < size; i++) {
                larger[i] = at(i);
            }
            ring = larger;
            head = 0;
        }
        ring[(head + size) % ring.length] = instant;
        size++;
    }
}
