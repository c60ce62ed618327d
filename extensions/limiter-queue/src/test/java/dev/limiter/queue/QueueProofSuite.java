package dev.limiter.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.queue.model.QueueHistories;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.threads.ManyThreads;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** All checks of queues, short and in one call, so that they can run on a mutant. */
public final class QueueProofSuite {
    private static final int HISTORIES = 400;
    private static final int THREADS = 8;

    private QueueProofSuite() {}

    /**
     * The first failure. Empty if there is none.
     *
     * @param percent how much of the random histories is drawn
     * @throws IllegalStateException if Redis itself refused a script, which proves nothing
     */
    public static Optional<String> failure(String uri, int percent) throws Exception {
        try (RedisClient jedis = RedisClient.create(uri)) {
            race(jedis, QueueStorage.LIST); // a list shows defects that a stream would refuse by itself
            race(jedis, QueueStorage.STREAM);
            QueueProof proof = new QueueProof(jedis);
            Dice dice = new Dice(20_261_122);
            for (int history = 0; history < HISTORIES * percent / 100; history++) {
                proof.of(QueueHistories.any().draw(dice));
            }
            return Optional.empty();
        } catch (AssertionError | RuntimeException failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof JedisException) {
                    throw new IllegalStateException("Redis refuses what was planted", cause);
                }
            }
            return Optional.of(String.valueOf(failure.getMessage()));
        }
    }

    /**
     * Threads that offer, take and acknowledge at one instant share one capacity, and one
     * acknowledgement for each entry.
     */
    private static void race(RedisClient jedis, QueueStorage form) throws Exception {
        BoundedQueue queue = BoundedQueues.of(new VirtualTime(jedis).shipped("race"))
                .queue(QueuePolicy.of("race", 10).in(form));
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        together(() -> queue.offer("x") instanceof OfferResult.Accepted accepted && ids.add(accepted.id()), 5);
        assertThat(ids)
                .as("accepted of 40 offers to a %s for 10", form)
                .hasSize(10)
                .doesNotHaveDuplicates();
        assertThat(ids).allSatisfy(id -> assertThat(queue.state(id)).isEqualTo(EntryState.WAITING));
        Delivery delivery = queue.take("consumer").orElseThrow();
        assertThat(together(() -> queue.acknowledge(delivery), 2))
                .as("acknowledgements of one entry of a %s that counted", form)
                .isEqualTo(1);
    }

    /** How often the call returned true, called this many times by all threads. */
    private static long together(Callable<Boolean> call, int times) throws Exception {
        List<Long> so = ManyThreads.call(THREADS, () -> {
            long mine = 0;
            for (int i = 0; i < times; i++) {
                mine += call.call() ? 1 : 0;
            }
            return mine;
        });
        return so.stream().reduce(0L, Long::sum);
    }
}
