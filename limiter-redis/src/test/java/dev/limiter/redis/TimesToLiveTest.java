package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import dev.limiter.model.Histories;
import dev.limiter.model.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Whatever is called in whatever order, nothing stays in Redis for ever. */
class TimesToLiveTest {
    private static final int CALLS = 100_000;

    @Test
    void everyKeyHasATimeToLiveAfterAHundredThousandRandomCalls() {
        try (Stores stores = new Stores()) {
            Random random = new Random(100_000);
            Algorithm[] algorithms = Algorithm.values();
            long without = 0;
            int calls = 0;
            int keys = 0;
            for (int history = 0; calls < CALLS; history++) {
                Algorithm algorithm = algorithms[history % algorithms.length];
                Refill refill =
                        algorithm == Algorithm.TOKEN_BUCKET && history % 2 == 0 ? Refill.INTERVAL : Refill.SMOOTH;
                VirtualTime time = new VirtualTime(stores.jedis());
                Trial alone = new Trial(time::move, Map.of("redis", time.limiter("history" + history)));
                alone.liveThrough(Histories.draw(algorithm, refill, random));
                calls += alone.steps();
                List<String> left = new ArrayList<>(stores.jedis().keys("rl:history" + history + ":*"));
                keys += left.size();
                without += left.stream()
                        .filter(key -> isForEver(stores.jedis(), key))
                        .count();
            }
            System.out.printf("%n%,d random calls, %,d keys, %d without a time to live%n", calls, keys, without);
            assertThat(without).isZero();
            assertThat(keys).isGreaterThan(1_000);
        }
    }

    /** A key that has just expired is gone, which is no fault. */
    private static boolean isForEver(RedisClient jedis, String key) {
        return jedis.pttl(key) == -1;
    }
}
