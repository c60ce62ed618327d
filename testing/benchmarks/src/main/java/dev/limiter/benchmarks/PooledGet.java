package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.RedisClient;

/** The cheapest call of Redis over a pool: {@code GET}. */
final class PooledGet implements Competitor {
    private final RedisClient jedis;
    private final byte[][] keys;

    PooledGet(RedisClient jedis, List<String> keys) {
        this.jedis = jedis;
        this.keys = keys.stream()
                .map(key -> ("get:" + key).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        for (byte[] key : this.keys) {
            jedis.set(key, "1234567890123456".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public Verdict ask(int key) {
        return Verdict.of(jedis.get(keys[key]) != null);
    }

    @Override
    public void close() {
        jedis.close();
    }
}
