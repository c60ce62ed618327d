package dev.limiter.redis.faults;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Redis whose memory is full. */
@Tag("store")
class FullRedisTest {
    private static final Policy TWO = Policy.of("two", FIXED_WINDOW, 2, Duration.ofHours(1));

    @Test
    void whatIsOverTheLimitStaysRejectedAndTheRestFollowsThePolicy() {
        LogAssertions signals = new LogAssertions();
        try (RedisServer redis = RedisServer.start("--maxmemory-policy", "noeviction");
                RateLimiter limiter = Limiters.local(redis.uri(), signals)) {
            for (Policy policy : List.of(TWO, TWO.whenStoreFails(CLOSED), TWO.whenStoreFails(OPEN))) {
                assertThat(Limiters.outcome(limiter, policy, Limiters.key("spent " + policy.onStoreFailure())))
                        .isEqualTo("admitted by the store");
                assertThat(Limiters.outcome(limiter, policy, Limiters.key("spent " + policy.onStoreFailure())))
                        .isEqualTo("admitted by the store");
            }
            redis.command("CONFIG", "SET", "maxmemory", "1");
            for (int many = 0; many < 100; many++) {
                for (Policy policy : List.of(TWO, TWO.whenStoreFails(CLOSED), TWO.whenStoreFails(OPEN))) {
                    assertThat(Limiters.outcome(limiter, policy, Limiters.key("spent " + policy.onStoreFailure())))
                            .isEqualTo("rejected by the store");
                }
                assertThat(Limiters.outcome(limiter, TWO.whenStoreFails(CLOSED), Limiters.key("new" + many)))
                        .isEqualTo("unavailable");
                assertThat(Limiters.outcome(limiter, TWO.whenStoreFails(OPEN), Limiters.key("open")))
                        .isEqualTo("admitted by the fallback");
            }
            Policy local = TWO.whenStoreFails(LOCAL);
            assertThat(Limiters.outcome(limiter, local, Limiters.key("new"))).isEqualTo("admitted by the fallback");
            assertThat(Limiters.outcome(limiter, local, Limiters.key("new"))).isEqualTo("admitted by the fallback");
            assertThat(Limiters.outcome(limiter, local, Limiters.key("new"))).isEqualTo("rejected by the fallback");
            assertThat(signals.errors(StoreError.OUT_OF_MEMORY)).isPositive();
            assertThat(signals.reasons()).isEmpty();

            redis.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(Limiters.outcome(limiter, TWO.whenStoreFails(CLOSED), Limiters.key("healed")))
                    .isEqualTo("admitted by the store");
        }
    }
}
