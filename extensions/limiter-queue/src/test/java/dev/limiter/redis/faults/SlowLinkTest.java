package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Redis answers, but the link to it is too slow for a large payload within the deadline. */
class SlowLinkTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final int PRODUCERS = 8;

    /** A payload of 1 MiB takes 4 s, and a small call some milliseconds. */
    private static final int BYTES_PER_SECOND = 256 << 10;

    /**
     * No producer gets an answer, and there are no other calls. The breaker must stay closed for
     * the limits.
     */
    @Test
    void payloadsThatAreTooLargeForTheLinkDoNotGiveTheServerUp() throws Exception {
        LogAssertions told = new LogAssertions();
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try (RedisServer redis = RedisServer.start();
                FaultProxy link = FaultProxy.to(redis);
                RateLimiter limiter = Limiters.local(
                        link.uri(),
                        told,
                        "limiter.redis.deadline",
                        "3s",
                        "limiter.redis.max-round-trips",
                        Integer.toString(PRODUCERS))) {
            BoundedQueue queue = BoundedQueues.of(limiter)
                    .queue(QueuePolicy.of("orders", 1_000).withPayloadsUpTo(QueuePolicy.MAX_PAYLOAD_BYTES));
            String payload = "x".repeat(QueuePolicy.MAX_PAYLOAD_BYTES);
            assertThat(outcome(limiter)).isEqualTo("admitted by the store");
            link.requestRate(BYTES_PER_SECOND);
            List<Future<?>> offers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                offers.add(threads.submit(() -> assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> queue.offer(payload))));
            }
            for (Future<?> each : offers) {
                each.get();
            }
            assertThat(told.ambiguous()).isEqualTo(PRODUCERS);
            assertThat(told.reasons()).isEmpty();
            assertThat(outcome(limiter)).isEqualTo("admitted by the store");
        } finally {
            threads.shutdownNow();
        }
    }

    private static String outcome(RateLimiter limiter) {
        return Limiters.outcome(limiter, COUNTER, Limiters.key("alice"));
    }
}
