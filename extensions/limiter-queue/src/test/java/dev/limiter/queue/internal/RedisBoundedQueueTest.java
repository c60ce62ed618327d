package dev.limiter.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.redis.internal.limiter.RedisRateLimiter;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The part of a round trip that a queue takes for expected payloads. */
@Tag("store")
class RedisBoundedQueueTest {
    private static final int MOST = 1 << 20;
    private static final QueuePolicy ORDERS = QueuePolicy.of("orders", 100).withPayloadsUpTo(MOST);

    private final List<ReplyBytes> said = new ArrayList<>();
    private boolean failing;

    /**
     * When each take counted as the longest permitted payload, only four shared a round trip,
     * and most of sixty consumers waited in vain.
     */
    @Test
    void aTakeExpectsAPayloadLikeThoseBefore() {
        try (RedisServer redis = RedisServer.start();
                RedisClient jedis = RedisClient.create(redis.uri())) {
            BoundedQueue queue = queue(jedis);
            for (int i = 0; i < 3_000; i++) {
                queue.offer("");
                queue.take("consumer").ifPresent(queue::acknowledge);
            }
            queue.offer("x".repeat(600_000));
            queue.take("consumer");
            queue.take("consumer");
            said.removeIf(each -> each.equals(ReplyBytes.FEW)); // of offers and acknowledgements
            assertThat(said.get(0)).isEqualTo(new ReplyBytes(MOST, MOST));
            assertThat(said.get(30).expected())
                    .as("a burst of long ones may follow")
                    .isGreaterThan(MOST / 5 * 4);
            assertThat(said.get(3_000)).isEqualTo(new ReplyBytes(MOST / 4, MOST));
            assertThat(said.get(3_001)).isEqualTo(new ReplyBytes(600_000, MOST));
        }
    }

    /** The failed payload may have been too long for this number in a round trip. */
    @Test
    void aTakeWithoutAnAnswerExpectsTheLongestPayloadAgain() {
        try (RedisServer redis = RedisServer.start();
                RedisClient jedis = RedisClient.create(redis.uri())) {
            BoundedQueue queue = queue(jedis);
            for (int i = 0; i < 500; i++) {
                queue.offer("");
                queue.take("consumer").ifPresent(queue::acknowledge);
            }
            failing = true;
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> queue.take("consumer"));
            failing = false;
            said.clear();
            queue.take("consumer");
            assertThat(said).containsExactly(new ReplyBytes(MOST, MOST));
        }
    }

    private BoundedQueue queue(RedisClient jedis) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("queues", ""));
        ScriptExecutor executor = new ScriptExecutor(null, System::nanoTime, Signals.NONE) {
            @Override
            public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
                said.add(replyBytes);
                if (failing) {
                    throw new JedisConnectionException("late");
                }
                return VirtualTime.run(jedis, script, keys, arguments);
            }
        };
        return BoundedQueues.of(new RedisRateLimiter(executor, policies, Signals.NONE, "test", System::nanoTime))
                .queue(ORDERS);
    }

    /**
     * The expected length decides how many calls share a round trip. The longest possible length
     * decides the connection, so that no decision waits for it.
     */
    @Test
    void aReplyThatMayBeLongMakesACallLarge() {
        Program take = Program.of("return 1");
        List<byte[]> sent = List.of(new byte[100]);
        RedisCall few = RedisCall.ScriptCall.of(take, List.of(), sent, ReplyBytes.FEW);
        RedisCall expectedShort = RedisCall.ScriptCall.of(take, List.of(), sent, new ReplyBytes(4_000, MOST));
        assertThat(few.bytes()).isEqualTo(100);
        assertThat(few.isLarge()).isFalse();
        assertThat(expectedShort.bytes()).isEqualTo(1_100);
        assertThat(expectedShort.isLarge()).isTrue();
    }
}
