package dev.limiter.benchmarks;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import dev.limiter.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * The limiter's own script by {@code EVALSHA} over a plain pool, one call for each check. The
 * reply is ignored. So it is the limiter without its Java. For policies whose arguments are the
 * same for every key, which {@code FIXED_WINDOW}'s are not.
 */
final class PooledScript implements Competitor {
    private final RedisClient jedis;
    private final byte[] script;
    private final List<byte[]> arguments;
    private final List<List<byte[]>> keys;

    PooledScript(RedisServer redis, RedisClient jedis, RateLimiter limiter, Policy policy, List<String> keys) {
        this.jedis = jedis;
        RecordedCall call = RecordedCall.of(redis, limiter, policy, keys.get(0));
        this.script = call.script();
        this.arguments = call.arguments();
        this.keys = keys.stream()
                .map(key ->
                        List.of(limiter.storeKey(policy, Ours.key(policy, key)).getBytes(StandardCharsets.US_ASCII)))
                .toList();
    }

    /** For the policies and the key of a call. */
    PooledScript(RedisClient jedis, RecordedCall call) {
        this.jedis = jedis;
        this.script = call.script();
        this.arguments = call.arguments();
        this.keys = List.of(call.keys());
    }

    @Override
    public Verdict ask(int key) {
        return Verdict.of(jedis.evalsha(script, keys.get(key), arguments) != null);
    }

    @Override
    public void close() {
        jedis.close();
    }
}
