package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.Reading;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits held in the memory of this process: exact, but each process admits the whole limit. For a single instance, and for
 * tests that set the clock themselves.
 *
 * <p>At most {@value #MAX_PARTITIONS} partitions are kept; beyond that the one longest unused is forgotten.
 */
public final class LocalRateLimiter implements RateLimiter {

    /** Partitions that are kept at most, so that callers who rotate keys cannot fill the memory. */
    public static final int MAX_PARTITIONS = 100_000;

    /** Up to here idle partitions are left alone: the memory is not worth the looking. */
    static final int SWEPT_ABOVE = 1_000;

    /** Idle partitions looked for on each call: more than one, so that they go faster than they come. */
    private static final int SWEPT_PER_CALL = 2;

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<Partition, Cell> cells = new LinkedHashMap<>(64, 0.75f, true);

    /** A limiter on a clock that never steps: the wall clock when it was made, and the time that has passed since. */
    public LocalRateLimiter() {
        this(new SteadyClock());
    }

    /**
     * A limiter on a clock of one's own.
     *
     * @param clock asked once for each decision; whole microseconds count
     */
    public LocalRateLimiter(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Decision acquire(Group group) {
        List<Demand> demands = group.demands();
        lock.lock();
        try {
            long now = micros(clock.instant());
            sweep(now);
            List<Cell> found = new ArrayList<>(demands.size());
            List<Reading> readings = new ArrayList<>(demands.size());
            boolean admitted = true;
            for (Demand demand : demands) {
                Policy policy = demand.policy();
                Cell cell = cells.computeIfAbsent(Partition.of(demand), partition -> Cell.of(policy));
                long phase = demand.key().spread() % policy.windowMicros();
                Reading reading = cell.read(policy, demand.cost(), now, phase);
                found.add(cell);
                readings.add(reading);
                admitted &= reading.fits();
            }
            List<Answer> answers = new ArrayList<>(demands.size());
            for (int i = 0; i < demands.size(); i++) {
                Demand demand = demands.get(i);
                if (admitted) {
                    found.get(i).charge(demand.policy(), demand.cost(), now);
                }
                answers.add(readings.get(i).answer(demand.policy(), demand.cost(), admitted));
            }
            return Decision.of(answers);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            cells.clear();
        } finally {
            lock.unlock();
        }
    }

    int partitions() {
        lock.lock();
        try {
            return cells.size();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets from the longest unused on: those that are idle, and as many more as are above the bound. */
    private void sweep(long now) {
        Iterator<Map.Entry<Partition, Cell>> longestUnused = cells.entrySet().iterator();
        for (int looked = 0; cells.size() > SWEPT_ABOVE && (looked < SWEPT_PER_CALL || isFull()); looked++) {
            if (longestUnused.next().getValue().idleAtMicros() <= now || isFull()) {
                longestUnused.remove();
            }
        }
    }

    private boolean isFull() {
        return cells.size() > MAX_PARTITIONS;
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }

    /** What tells one state from another: never limit, burst or cost, which come with each call. */
    private record Partition(String policy, Algorithm algorithm, long windowMicros, PartitionKey key) {
        static Partition of(Demand demand) {
            Policy policy = demand.policy();
            return new Partition(policy.name(), policy.algorithm(), policy.windowMicros(), demand.key());
        }
    }
}
