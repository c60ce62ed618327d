package dev.limiter.queue;

import static dev.limiter.queue.model.QueueHistories.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.local.LocalRateLimiter;
import dev.limiter.queue.model.QueueHistory;
import dev.limiter.queue.model.QueueHistoryRun;
import dev.limiter.redis.internal.script.VirtualTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import redis.clients.jedis.UnifiedJedis;

/**
 * Compares the shipped scripts, in both forms, and the queue in memory with the model. It also
 * checks the keys that are left in Redis.
 */
final class QueueProof {
    private final UnifiedJedis jedis;
    private long steps;

    /**
     * @param jedis a Redis for this alone: it is emptied for each history
     */
    QueueProof(UnifiedJedis jedis) {
        this.jedis = jedis;
    }

    /**
     * @throws AssertionError at the first difference
     */
    void of(QueueHistory history) {
        jedis.flushAll();
        VirtualTime time = new VirtualTime(jedis);
        BoundedQueues shared = BoundedQueues.of(time.shipped(QUEUE));
        QueueHistoryRun trial = new QueueHistoryRun(
                time::move,
                List.of(
                        new QueueHistoryRun.Subject("the stream", shared, QueueStorage.STREAM),
                        new QueueHistoryRun.Subject("the list", shared, QueueStorage.LIST),
                        new QueueHistoryRun.Subject(
                                "the memory", BoundedQueues.of(new LocalRateLimiter(time)), QueueStorage.STREAM)));
        trial.liveThrough(history);
        steps += history.steps().size();
        theStreamHolds(shared, trial);
        theListHolds(shared, trial);
        assertThat(jedis.keys("*"))
                .allSatisfy(key -> assertThat(jedis.pttl(key)).isEqualTo(-1));
    }

    /** Redis has only consumers that hold an entry, and a letter for each dead entry. */
    private void theStreamHolds(BoundedQueues queues, QueueHistoryRun trial) {
        String key = queues.queue(QueuePolicy.of(QUEUE, 1)).storeKey();
        Set<String> keys = new TreeSet<>(jedis.keys(key.replace("{", "\\{") + "*"));
        assertThat(keys).isSubsetOf(named(key, "", ":held", ":done", ":dead", ":letters", ":last"));
        if (keys.contains(key)) {
            assertThat(jedis.xpending(key, "limiter").getTotal()).isEqualTo(trial.taken());
            assertThat(jedis.xinfoConsumers2(key, "limiter"))
                    .allSatisfy(consumer -> assertThat(consumer.getPending()).isPositive());
        }
        assertThat(jedis.xlen(key + ":letters")).isEqualTo(trial.dead());
    }

    /** Entries that left leave nothing behind but the letters of the dead. */
    private void theListHolds(BoundedQueues queues, QueueHistoryRun trial) {
        String key =
                queues.queue(QueuePolicy.of(QUEUE, 1).in(QueueStorage.LIST)).storeKey();
        Set<String> keys = new TreeSet<>(jedis.keys(key.replace("{", "\\{") + "*"));
        assertThat(keys).isSubsetOf(named(key, "", ":held", ":done", ":dead", ":letters", ":last", ":entries"));
        assertThat(jedis.hlen(key + ":entries")).isEqualTo(jedis.llen(key) + trial.taken());
        assertThat(jedis.llen(key + ":letters")).isEqualTo(2 * trial.dead());
    }

    private static Set<String> named(String key, String... endings) {
        Set<String> names = new TreeSet<>();
        for (String ending : endings) {
            names.add(key + ending);
        }
        return names;
    }

    void print() {
        System.out.printf(
                "%nBoundedQueue: %,d steps on a stream, a list and in memory, 0 differences from the model in all answers%n",
                steps);
    }
}
