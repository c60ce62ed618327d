package dev.limiter.queue.internal;

import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the queues of a limiter in memory. The queues end with the limiter, whose clock stands
 * for it.
 */
public final class MemoryQueues implements BoundedQueues {
    private static final Map<InstantSource, Map<String, QueueEntries>> BY_LIMITER =
            Collections.synchronizedMap(new WeakHashMap<>());

    private final InstantSource clock;
    private final Map<String, QueueEntries> entries;

    /**
     * The queues of a limiter: all that are made for it are the same.
     *
     * @param clock the limiter's own, equal to no other limiter's
     */
    public MemoryQueues(InstantSource clock) {
        this.clock = clock;
        this.entries = BY_LIMITER.computeIfAbsent(clock, first -> new ConcurrentHashMap<>());
    }

    @Override
    public BoundedQueue queue(QueuePolicy policy) {
        return new MemoryBoundedQueue(
                policy,
                entries.computeIfAbsent(policy.form() + ":" + policy.name(), name -> new QueueEntries()),
                clock);
    }
}
