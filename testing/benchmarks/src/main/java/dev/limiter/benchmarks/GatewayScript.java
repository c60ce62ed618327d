package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * Spring Cloud Gateway's script out of its published JAR, with the keys and arguments that its
 * {@code RedisRateLimiter} gives it, through a Jedis pool.
 */
final class GatewayScript implements Competitor {
    private final RedisClient jedis;
    private final String script;
    private final List<String> arguments;
    private final List<List<String>> keys;

    GatewayScript(RedisClient jedis, Quota quota, List<String> keys) {
        this.jedis = jedis;
        this.script = jedis.scriptLoad(Text.resource("/META-INF/scripts/request_rate_limiter.lua"));
        String rate = Long.toString(quota.limit() / quota.window().toSeconds());
        this.arguments = List.of(rate, rate, "", "1");
        this.keys = keys.stream().map(GatewayScript::keys).toList();
    }

    private static List<String> keys(String id) {
        return List.of("request_rate_limiter.{" + id + "}.tokens", "request_rate_limiter.{" + id + "}.timestamp");
    }

    @Override
    public Verdict ask(int key) {
        List<?> reply = (List<?>) jedis.evalsha(script, keys.get(key), arguments);
        return Verdict.of(reply.get(0).equals(1L));
    }

    @Override
    public void close() {
        jedis.close();
    }
}
