package dev.limiter.local;

import dev.limiter.CheckGroup;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.SteadyClock;
import java.time.Duration;
import java.time.InstantSource;

/**
 * A limiter in the memory of this process. It is exact, but each process admits the whole limit.
 * Use it for a single instance, and in tests that set the clock themselves.
 *
 * <p>It keeps {@value #MAX_PARTITIONS} partitions, however long their keys are, and the new
 * partitions of one further call. A partition counts 300 bytes. A {@code SLIDING_LOG} counts 8
 * to 64 bytes more for each unit in its window, at least 64, a {@code CONCURRENCY} 300 more for
 * each lease. Beyond {@value #MAX_BYTES} bytes it keeps fewer partitions: about 50,000 logs of
 * 100 units.
 *
 * <p>A partition that has its full quota back is forgotten in passing. Beyond the bound others
 * are forgotten, and begin with a full quota. First go partitions with a unit left, the longest
 * unused before the others. Then go spent partitions, the one that gets a unit soonest before
 * the others. At most three quarters of the room are for spent partitions, so that new ones are
 * always counted. A spent limit comes back early only if 75,000 others are spent for longer.
 */
public final class LocalRateLimiter extends BlockingAcquire {

    /**
     * The most partitions that are kept, so that callers that rotate keys cannot fill the
     * memory.
     */
    public static final int MAX_PARTITIONS = MemoryStore.MAX_PARTITIONS;

    /**
     * The most bytes that are kept, estimated, so that long logs cannot fill the memory either.
     */
    public static final long MAX_BYTES = MemoryStore.MAX_BYTES;

    /**
     * A limiter on a clock that never steps: the wall clock at its creation, plus the time that
     * has passed since.
     */
    public LocalRateLimiter() {
        this(new SteadyClock());
    }

    /**
     * A limiter on a given clock that goes by itself. It sleeps to wait.
     *
     * @param clock asked once for each decision; whole microseconds count
     */
    public LocalRateLimiter(InstantSource clock) {
        this(clock, Sleeper.OF_THREADS);
    }

    /**
     * A limiter on a clock that a test moves, so that tests of
     * {@link #acquire(CheckGroup, Duration)} need not sleep.
     *
     * @param clock asked once for each decision; whole microseconds count
     * @param sleep called to wait; moves the clock by that span
     */
    public LocalRateLimiter(InstantSource clock, Sleeper sleep) {
        this(new MemoryStore(clock), sleep);
    }

    /**
     * A limiter on states that are kept, for the library.
     *
     * @param store keeps them
     * @param sleep called to wait
     */
    public LocalRateLimiter(MemoryStore store, Sleeper sleep) {
        super(store, store::nowMicros, sleep);
    }
}
