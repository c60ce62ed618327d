package dev.limiter.local;

import dev.limiter.CheckGroup;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.SteadyClock;
import java.time.Duration;
import java.time.InstantSource;

/**
 * A limiter in the memory of this process, for a single instance, and for tests that set the clock
 * themselves. It is exact, but if there are several processes, each admits the whole limit.
 *
 * <p>A partition with its full quota is forgotten in passing. The others are kept up to a bound:
 *
 * <ul>
 * <li>It keeps {@value #MAX_PARTITIONS} partitions, however long their keys are, and the new
 *     partitions of one further call.
 * <li>It keeps at most {@value #MAX_BYTES} bytes, for example about 50,000 logs of 100 units. A
 *     partition counts 300 bytes. A {@code SLIDING_LOG} counts 8 to 64 bytes more for each unit in
 *     its window, at least 64, and a {@code CONCURRENCY} 300 more for each lease.
 * <li>Beyond that, partitions are forgotten and begin with a full quota. First go those with a
 *     unit left, beginning with the longest unused. Then go spent ones, beginning with the one
 *     that gets a unit soonest. At most three quarters of the room are for spent partitions, so
 *     that new ones are always counted. A spent limit comes back early only if 75,000 others are
 *     spent for longer.
 * </ul>
 */
public final class LocalRateLimiter extends BlockingAcquire {

    /**
     * The most partitions that are kept, so that callers that rotate keys cannot fill the memory.
     */
    public static final int MAX_PARTITIONS = MemoryStore.MAX_PARTITIONS;

    /**
     * The most bytes that are kept, estimated, so that long logs cannot fill the memory either.
     */
    public static final long MAX_BYTES = MemoryStore.MAX_BYTES;

    /**
     * Makes a limiter on a clock that never steps: the wall clock at its creation, plus the time
     * since then.
     */
    public LocalRateLimiter() {
        this(new SteadyClock());
    }

    /**
     * Makes a limiter on a clock that runs by itself. To wait, it sleeps.
     *
     * @param clock asked once for each decision; whole microseconds count
     */
    public LocalRateLimiter(InstantSource clock) {
        this(clock, Sleeper.OF_THREADS);
    }

    /**
     * Makes a limiter on a clock that a test moves, so that tests of
     * {@link #acquire(CheckGroup, Duration)} need not sleep.
     *
     * @param clock asked once for each decision; whole microseconds count
     * @param sleep called to wait; moves the clock by that span
     */
    public LocalRateLimiter(InstantSource clock, Sleeper sleep) {
        this(new MemoryStore(clock), sleep);
    }

    /**
     * Makes a limiter on a given store, for the library.
     *
     * @param store keeps the states
     * @param sleep called to wait
     */
    public LocalRateLimiter(MemoryStore store, Sleeper sleep) {
        super(store, store::nowMicros, sleep);
    }
}
