package dev.limiter.queue.internal;

import dev.limiter.PartitionKey;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes the queues of a store that runs scripts. */
public final class RedisQueues implements BoundedQueues {
    private static final int FORMAT = 1;
    private static final List<String> PARTS = List.of("held", "done", "dead", "letters", "last", "entries");

    private final ScriptStore store;

    public RedisQueues(ScriptStore store) {
        this.store = store;
    }

    @Override
    public BoundedQueue queue(QueuePolicy policy) {
        return new RedisBoundedQueue(policy, keys(policy), store);
    }

    /**
     * All keys of a queue, in the order of {@code lua/queue/keys.lua}. The first is the key of a
     * partition with the queue's name, so the keys of one queue share a slot. The others are the
     * first key and a word.
     */
    private List<byte[]> keys(QueuePolicy policy) {
        String identity = policy.name() + '\0' + "queue/" + policy.form() + '\0' + FORMAT;
        byte[] queue = store.key(identity, PartitionKey.of("queue", policy.name()));
        List<byte[]> keys = new ArrayList<>();
        keys.add(queue);
        for (String part : PARTS) {
            byte[] word = (':' + part).getBytes(StandardCharsets.US_ASCII);
            byte[] key = Arrays.copyOf(queue, queue.length + word.length);
            System.arraycopy(word, 0, key, queue.length, word.length);
            keys.add(key);
        }
        return List.copyOf(keys);
    }
}
