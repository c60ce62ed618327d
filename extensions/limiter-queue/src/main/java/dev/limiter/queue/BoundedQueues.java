package dev.limiter.queue;

import dev.limiter.RateLimiter;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.queue.internal.MeasuredQueues;
import dev.limiter.queue.internal.MemoryQueues;
import dev.limiter.queue.internal.RedisQueues;
import dev.limiter.spi.Signals;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Gives you an application's queues: {@code @Inject BoundedQueues}, or {@link #of} without CDI.
 */
@FunctionalInterface
public interface BoundedQueues {

    /**
     * {@return the queue of a name and form, with these bounds} Every process that uses the same
     * store and application name gets the same queue. Bounds may differ: each call goes by its
     * own. This does not call the store.
     *
     * @param policy its name, its form and its bounds
     */
    BoundedQueue queue(QueuePolicy policy);

    /**
     * {@return queues in the store of a limiter, over the same connections} Without Redis they are
     * in the memory of the process, and end with the limiter. {@code onStoreFailure} does not
     * apply to them: without the store there is no queue. If the limiter is measured, so are up to
     * 1,000 queues: {@code limiter.queue.length}, {@code limiter.queue.age} and
     * {@code limiter.queue.dead}.
     *
     * @param limiter whose store is used
     * @throws UnsupportedOperationException if the limiter has neither a store that runs scripts
     *     nor a clock
     */
    static BoundedQueues of(RateLimiter limiter) {
        BoundedQueues queues = limiter.unwrap(ScriptStore.class)
                .<BoundedQueues>map(RedisQueues::new)
                .or(() -> limiter.unwrap(InstantSource.class).map(MemoryQueues::new))
                .orElseThrow(() -> new UnsupportedOperationException(
                        "this limiter keeps no queues: " + limiter.getClass().getName()));
        Optional<Signals> signals = limiter.unwrap(Signals.class);
        return signals.<BoundedQueues>map(told -> new MeasuredQueues(queues, told))
                .orElse(queues);
    }
}
