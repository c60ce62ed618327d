package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.model.Histories;
import dev.limiter.model.HistoryRun;
import dev.limiter.model.Kind;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.TestSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Whatever is called in whatever order, nothing stays in Redis for ever. */
class TimesToLiveTest {
    private static final int CALLS = TestSize.of(100_000);

    @Test
    void everyKeyHasATimeToLiveAfterManyRandomCalls() {
        try (Stores stores = new Stores()) {
            Dice dice = new Dice(100_000);
            List<Kind> kinds = Kind.all();
            long without = 0;
            int calls = 0;
            int keys = 0;
            for (int history = 0; calls < CALLS; history++) {
                VirtualTime time = new VirtualTime(stores.jedis());
                HistoryRun alone = new HistoryRun(time::move, Map.of("redis", time.limiter("history" + history)));
                alone.liveThrough(
                        Histories.of(kinds.get(history % kinds.size())).draw(dice));
                calls += alone.steps();
                List<String> left = new ArrayList<>(stores.jedis().keys("rl:history" + history + ":*"));
                keys += left.size();
                without += left.stream()
                        .filter(key -> isForEver(stores.jedis(), key))
                        .count();
            }
            System.out.printf("%n%,d random calls, %,d keys, %d without a time to live%n", calls, keys, without);
            assertThat(without).isZero();
            assertThat(keys).isGreaterThan(CALLS / 100);
        }
    }

    /** Whether a key never expires. A key that has just expired is gone, which is no fault. */
    private static boolean isForEver(RedisClient jedis, String key) {
        return jedis.pttl(key) == -1;
    }
}
