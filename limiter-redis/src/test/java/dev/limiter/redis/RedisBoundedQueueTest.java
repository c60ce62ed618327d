package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.QueuePolicy;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;

/** How much of a round trip a queue takes for the payloads that it hears. */
class RedisBoundedQueueTest {
    private static final int MOST = 1 << 20;
    private static final QueuePolicy ORDERS = QueuePolicy.of("orders", 100).withPayloadsUpTo(MOST);

    private final List<ReplyBytes> said = new ArrayList<>();

    /** Where each counted as much as it may be, four shared a round trip, and most of sixty consumers waited in vain. */
    @Test
    void aTakeExpectsAPayloadLikeThoseBefore() {
        try (RedisServer redis = RedisServer.start();
                RedisClient jedis = RedisClient.create(redis.uri())) {
            RedisBoundedQueue queue = queue(jedis);
            for (int bytes : new int[] {0, 0, 600_000, 200_000}) {
                queue.offer("x".repeat(bytes));
            }
            said.clear();
            for (int i = 0; i < 6; i++) {
                queue.take("consumer");
            }
            assertThat(said)
                    .containsExactly(
                            new ReplyBytes(MOST, MOST),
                            new ReplyBytes(MOST / 2, MOST),
                            new ReplyBytes(MOST / 4, MOST),
                            new ReplyBytes(600_000, MOST),
                            new ReplyBytes(400_000, MOST),
                            new ReplyBytes(400_000, MOST)); // the one before took nothing
        }
    }

    private RedisBoundedQueue queue(RedisClient jedis) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("queues", ""));
        ScriptRunner.Caller caller = VirtualTime.by(jedis);
        ScriptRunner runner = new ScriptRunner(
                (script, withText, keys, arguments, replyBytes, began) -> {
                    if (!withText) {
                        said.add(replyBytes);
                    }
                    return caller.call(script, withText, keys, arguments, replyBytes, began);
                },
                Timeouts.within(Duration.ofSeconds(10)),
                System::nanoTime,
                Signals.NONE,
                key -> new ClockWatch(Signals.NONE));
        return new RedisBoundedQueue(ORDERS, policies.of(ORDERS), runner, new StoreBorder("test", Signals.NONE));
    }

    /** Round trips are shared by what is expected; the line is chosen by what may come, so that no decision waits for it. */
    @Test
    void aReplyThatMayBeLongMakesACallLarge() {
        CommandArguments take = new CommandArguments(Protocol.Command.EVALSHA);
        Errand few = Errand.Command.of(take, 100, ReplyBytes.FEW);
        Errand expectedShort = Errand.Command.of(take, 100, new ReplyBytes(4_000, MOST));
        assertThat(few.bytes()).isEqualTo(100);
        assertThat(few.isLarge()).isFalse();
        assertThat(expectedShort.bytes()).isEqualTo(1_100);
        assertThat(expectedShort.isLarge()).isTrue();
    }
}
