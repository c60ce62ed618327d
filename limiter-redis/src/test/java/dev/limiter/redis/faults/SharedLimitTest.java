package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisCluster;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes of an application on a cluster, with caches of rejections, and a pool for all. */
@Tag("faults")
class SharedLimitTest {
    private static final int POOL = 50;
    private static final Policy SHARED = Limiters.counter("pool", POOL);
    private static final Policy OWN = Limiters.counter("own", 60);
    private static final PartitionKey ALL = Limiters.key("all");
    private static final PartitionKey GREEDY = Limiters.key("greedy");
    private static final long MILLIS_BETWEEN = 40;

    /** The caller asks without a pause for all that its rejections say is left of the pool. */
    @Test
    void aCallerWhoseOwnLimitIsSpentKeepsNoOtherOutOfThePool() {
        AtomicInteger rejected = new AtomicInteger();
        AtomicLong left = new AtomicLong(POOL);
        int admitted = 0;
        long longest = 0;
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RateLimiter one = Limiters.closed(cluster.uri(), new LogAssertions(), Limiters.PATIENT);
                RateLimiter other = Limiters.closed(cluster.uri(), new LogAssertions(), Limiters.PATIENT)) {
            assertThat(cluster.slotOf(one.storeKey(OWN, GREEDY)))
                    .isNotEqualTo(cluster.slotOf(one.storeKey(SHARED, ALL)));
            one.charge(OWN, GREEDY, OWN.limit());
            try (Crowd crowd = Crowd.of(2, (thread, number) -> {
                long cost = left.get();
                Decision decision =
                        one.acquire(CheckGroup.of(new Check(OWN, GREEDY, cost), new Check(SHARED, ALL, cost)));
                left.set(Math.max(1, decision.results().get(1).remaining()));
                rejected.addAndGet(decision.admitted() ? 0 : 1);
                return decision;
            })) {
                for (int i = 0; i < POOL; i++) {
                    Decision decision = (i % 2 == 0 ? one : other).acquire(SHARED, ALL);
                    if (decision instanceof Decision.Rejected refused) {
                        longest = Math.max(longest, refused.retryAfterSeconds());
                    } else {
                        admitted++;
                    }
                    Moments.millis(MILLIS_BETWEEN);
                }
                crowd.stop();
            }
        }
        Moments.say(
                "a caller whose own limit is spent: %,d rejections; others got %d of %d units, longest Retry-After %d s",
                rejected.get(), admitted, POOL, longest);
        assertThat(rejected).hasValueGreaterThan(POOL);
        assertThat(admitted).isEqualTo(POOL);
    }
}
