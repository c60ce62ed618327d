package dev.limiter.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.EntryState;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The calls of a queue to the store, whatever the store answers. */
@Tag("store")
class RedisQueuesTest {
    private final List<List<String>> asked = new ArrayList<>();
    private final List<Integer> replyBytes = new ArrayList<>();

    /** Records its calls, and replies zeros. */
    private final ScriptStore store = new ScriptStore() {
        @Override
        public byte[] key(String identity, PartitionKey partition) {
            return (identity.replace('\0', '|') + " " + partition.text().length()).getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public <T> T run(
                String script,
                List<byte[]> keys,
                List<byte[]> arguments,
                int expectedReplyBytes,
                int maxReplyBytes,
                Function<ByteBuffer, T> reader) {
            asked.add(Stream.concat(keys.stream(), arguments.stream())
                    .map(each -> new String(each, StandardCharsets.ISO_8859_1))
                    .toList());
            replyBytes.add(maxReplyBytes);
            return reader.apply(ByteBuffer.allocate(100));
        }
    };

    private static String packed(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length);
        for (long number : numbers) {
            bytes.putDouble(number);
        }
        return new String(bytes.array(), StandardCharsets.ISO_8859_1);
    }

    /**
     * Only the reply to a take may be long: a whole payload. A malformed id is not asked for.
     */
    @ParameterizedTest
    @EnumSource
    void eachCallOfAQueueTellsWhatTheScriptNeeds(QueueStorage form) {
        QueuePolicy policy = QueuePolicy.of("mails", 10)
                .in(form)
                .withHold(Duration.ofSeconds(40))
                .withDeliveries(3)
                .remembering(7)
                .withPayloadsUpTo(12_345);
        BoundedQueue queue = new RedisQueues(store).queue(policy);
        queue.offer("payload");
        queue.take("consumer");
        queue.acknowledge(new Delivery("1700000000000001", "payload", 1));
        queue.state("1700000000000001");
        queue.stats();
        for (String unnamed : List.of("", "0700000000000001", "170000000000000", "17000000000000011", "1-1", "x")) {
            assertThat(queue.state(unnamed)).isEqualTo(EntryState.UNKNOWN);
        }
        String first = "mails|queue/" + form + "|1 "
                + PartitionKey.of("queue", "mails").text().length();
        List<String> keys = List.of(
                first,
                first + ":held",
                first + ":done",
                first + ":dead",
                first + ":letters",
                first + ":last",
                first + ":entries");
        List<List<String>> arguments = List.of(
                List.of(packed(10), "payload"),
                List.of(packed(40_000_000, 3, 7), "consumer"),
                List.of(packed(7), "1700000000000001"),
                List.of("1700000000000001"),
                List.of());
        assertThat(asked)
                .isEqualTo(arguments.stream()
                        .map(each -> Stream.concat(keys.stream(), each.stream()).toList())
                        .toList());
        assertThat(replyBytes).containsExactly(0, 12_345, 0, 0, 0);
        assertThat(queue.storeKey()).isEqualTo(first);
        assertThat(queue.policy()).isSameAs(policy);
    }
}
