package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A server full of requests, on all cores, with many keys, as in an application with many users,
 * or with a single key.
 */
final class ManyCallers {
    private static final Quota OF_MANY = new Quota(1_000, Duration.ofSeconds(1));
    private static final Quota OF_ONE = new Quota(10_000_000, Duration.ofSeconds(1));

    private final Mode mode;
    private final Crew crew;
    private final Output output;

    ManyCallers(Mode mode, Crew crew, Output output) {
        this.mode = mode;
        this.crew = crew;
        this.output = output;
    }

    void manyKeys() {
        int count = mode.callers();
        List<String> keys =
                IntStream.range(0, count).mapToObj(key -> "user-" + key).toList();
        run(Series.manyKeys(crew), OF_MANY, keys);
    }

    void hotKey() {
        run(Series.hotKey(crew), OF_ONE, List.of("everyone"));
    }

    private void run(String series, Quota quota, List<String> keys) {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis);
                RateLimiter open = Limiters.of(redis, Map.of("limiter.on-store-failure", "OPEN"))) {
            Policy gcra = policy("gcra", Algorithm.GCRA, quota);
            List<Contender> contenders = new ArrayList<>();
            contenders.add(ours(Who.GCRA, limiter, gcra, keys));
            contenders.add(ours(Who.TOKENS, limiter, policy("tokens", Algorithm.TOKEN_BUCKET, quota), keys));
            contenders.add(ours(Who.FIXED, limiter, policy("fixed", Algorithm.FIXED_WINDOW, quota), keys));
            if (quota.limit() <= Algorithm.SLIDING_LOG.maxLimit()) {
                contenders.add(ours(Who.LOG, limiter, policy("log", Algorithm.SLIDING_LOG, quota), keys));
            }
            contenders.add(ours(Who.GCRA_OPEN, open, gcra, keys));
            contenders.add(new Contender(Who.GET_8, new PooledGet(Pools.of(redis, 8), keys)));
            contenders.add(new Contender(Who.GET_64, new PooledGet(Pools.of(redis, 64), keys)));
            contenders.add(new Contender(Who.POOL_8, new PooledScript(redis, Pools.of(redis, 8), limiter, gcra, keys)));
            contenders.add(
                    new Contender(Who.POOL_64, new PooledScript(redis, Pools.of(redis, 64), limiter, gcra, keys)));
            contenders.add(new Contender(Who.GATEWAY_8, new GatewayScript(Pools.of(redis, 8), quota, keys)));
            contenders.add(new Contender(Who.GATEWAY_64, new GatewayScript(Pools.of(redis, 64), quota, keys)));
            for (Peer peer : Peers.all()) {
                Entrance.of(peer, redis, quota, keys, output).ifPresent(contenders::add);
            }
            new Rounds(mode, mode.rounds(), output)
                    .run(
                            series,
                            contenders,
                            new ServerCost(redis, new ManyThreads(crew, keys.size())),
                            mode.manyThreadsSlice());
        }
    }

    private static Contender ours(String name, RateLimiter limiter, Policy policy, List<String> keys) {
        return new Contender(name, new Ours(limiter, policy, keys));
    }

    private static Policy policy(String name, Algorithm algorithm, Quota quota) {
        return Policy.of(name, algorithm, quota.limit(), quota.window());
    }
}
