package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.benchmarks.contest.Verdict;
import dev.limiter.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * One caller and the server on one core, where a round trip has no wake-up of another core in
 * it.
 */
final class OneCore {
    private static final Quota QUOTA = new Quota(10_000_000, Duration.ofSeconds(1));
    private static final long[] LOG_LIMITS = {10, 1_000, 100_000};
    private static final long ARTICLE_LIMIT = 1_000;
    private static final List<String> KEY = List.of("someone");
    /** The share of the limit, so that steady traffic is all admitted. */
    private static final double LOAD_OF_LOGS = 0.6;
    /**
     * After that many windows, a log has only units of this traffic, up to their greatest age.
     */
    private static final double WINDOWS_OF_LEAD_IN = 1.3;

    private final Mode mode;
    private final Output output;

    OneCore(Mode mode, Output output) {
        this.mode = mode;
        this.output = output;
    }

    void run() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis)) {
            List<Contender> contenders = new ArrayList<>(ours(limiter));
            Contender gcra = contenders.get(0);
            double nanos = 1e3 * typicalMicros(gcra.competitor());
            addPlain(redis, limiter, contenders);
            addLogs(redis, limiter, nanos, contenders);
            addArticles(redis, nanos, contenders);
            addPeers(redis, contenders);
            new Rounds(mode, mode.oneCoreRounds(), output)
                    .run(
                            Series.ONE_CORE,
                            contenders,
                            new ServerCost(redis, new OneThread(KEY.size())),
                            mode.oneThreadSlice());
        }
    }

    private static List<Contender> ours(RateLimiter limiter) {
        Policy rejecting = Policy.of("rejecting", Algorithm.GCRA, 1, Duration.ofDays(1));
        return List.of(
                ours(Who.GCRA, limiter, policy("gcra", Algorithm.GCRA)),
                ours(Who.FIXED, limiter, policy("fixed", Algorithm.FIXED_WINDOW)),
                ours(Who.TOKENS, limiter, policy("tokens", Algorithm.TOKEN_BUCKET)),
                ours(Who.SLIDING_WINDOW, limiter, policy("sliding", Algorithm.SLIDING_WINDOW)),
                ours(
                        Who.INTERVAL,
                        limiter,
                        policy("interval", Algorithm.TOKEN_BUCKET).withRefill(Refill.INTERVAL)),
                ours(Who.REMEMBERED, limiter, rejecting),
                new Contender(Who.FIVE, new Ours(limiter, five(), KEY)),
                new Contender(Who.FIVE_MIXED, new Ours(limiter, fiveMixed(), KEY)));
    }

    private static List<Policy> five() {
        List<Policy> policies = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            policies.add(policy("five-" + i, Algorithm.GCRA));
        }
        return policies;
    }

    private static List<Policy> fiveMixed() {
        return List.of(
                policy("mixed-0", Algorithm.GCRA),
                policy("mixed-1", Algorithm.FIXED_WINDOW),
                policy("mixed-2", Algorithm.SLIDING_WINDOW),
                policy("mixed-3", Algorithm.TOKEN_BUCKET).withRefill(Refill.INTERVAL),
                Policy.of("mixed-4", Algorithm.SLIDING_LOG, 1_000_000, Duration.ofMillis(10)));
    }

    /**
     * The window in which this machine asks for a certain share of the limit; on a slow one for
     * less of a large limit.
     */
    private Duration window(long limit, double nanos) {
        long micros = (long) Math.ceil(limit * nanos * LOAD_OF_LOGS / 1_000);
        return Duration.ofNanos(1_000 * Math.min(micros, mode.longestWindow().toNanos() / 1_000));
    }

    private static Duration leadIn(Duration window) {
        return Duration.ofNanos((long) (window.toNanos() * WINDOWS_OF_LEAD_IN)).plusMillis(10);
    }

    private void addLogs(RedisServer redis, RateLimiter limiter, double nanos, List<Contender> contenders) {
        for (long limit : LOG_LIMITS) {
            Duration window = window(limit, nanos);
            Policy policy = Policy.of("log-" + limit, Algorithm.SLIDING_LOG, limit, window);
            contenders.add(new Contender(Who.log(limit), new Ours(limiter, policy, KEY), leadIn(window)));
            List<String> arguments = List.of("1", Long.toString(limit), Long.toString(policy.windowMicros()));
            contenders.add(new Contender(
                    Who.exactSet(limit),
                    new LuaCompetitor(
                            Pools.of(redis, 8), "exact_sorted_set.lua", List.of("set:" + limit), () -> arguments),
                    leadIn(window)));
        }
    }

    private static void addPlain(RedisServer redis, RateLimiter limiter, List<Contender> contenders) {
        contenders.add(new Contender(Who.GET_8, new PooledGet(Pools.of(redis, 8), KEY)));
        contenders.add(new Contender(Who.SET_GET, new SetAndGet(Pools.of(redis, 8))));
        contenders.add(new Contender(
                Who.POOL_8, new PooledScript(redis, Pools.of(redis, 8), limiter, policy("gcra", Algorithm.GCRA), KEY)));
        contenders.add(new Contender(Who.GATEWAY_8, new GatewayScript(Pools.of(redis, 8), QUOTA, KEY)));
    }

    private void addArticles(RedisServer redis, double nanos, List<Contender> contenders) {
        Duration window = window(ARTICLE_LIMIT, nanos);
        String windowNanos = Long.toString(window.toNanos());
        contenders.add(new Contender(
                Who.ARTICLE_LOG,
                new LuaCompetitor(
                        Pools.of(redis, 8),
                        "article_sliding_log.lua",
                        List.of("article-1"),
                        () -> List.of(Long.toString(System.nanoTime()), windowNanos, Long.toString(ARTICLE_LIMIT))),
                leadIn(window)));
        List<String> ofSet = List.of(Long.toString(window.toNanos() / 1_000), Long.toString(ARTICLE_LIMIT));
        contenders.add(new Contender(
                Who.ARTICLE_SET,
                new LuaCompetitor(
                        Pools.of(redis, 8),
                        "article_sorted_set.lua",
                        List.of("{article-2}", "time{article-2}"),
                        () -> ofSet),
                leadIn(window)));
        List<String> neverFull = List.of("1000000000");
        contenders.add(new Contender(
                Who.ARTICLE_STREAM,
                new LuaCompetitor(Pools.of(redis, 8), "article_stream.lua", List.of("article-3"), () -> neverFull)));
    }

    private void addPeers(RedisServer redis, List<Contender> contenders) {
        for (Peer peer : Peers.all()) {
            Entrance.of(peer, redis, QUOTA, KEY, output).ifPresent(contenders::add);
        }
    }

    /** The rough time of a check on this machine. */
    private double typicalMicros(Competitor competitor) {
        OneThread meter = new OneThread(KEY.size());
        Duration slice = mode.warmUp(mode.oneThreadSlice());
        meter.measure(competitor, slice);
        meter.measure(competitor, slice);
        return meter.measure(competitor, slice).get(Metric.P50);
    }

    private static Contender ours(String name, RateLimiter limiter, Policy policy) {
        return new Contender(name, new Ours(limiter, policy, KEY));
    }

    private static Policy policy(String name, Algorithm algorithm) {
        return Policy.of(name, algorithm, QUOTA.limit(), QUOTA.window());
    }

    /** The two commands in turn, each counted as one, as the article's author seems to do. */
    private static final class SetAndGet implements Competitor {
        private static final byte[] KEY = "set-get".getBytes(StandardCharsets.UTF_8);

        private final RedisClient jedis;
        private boolean get;

        SetAndGet(RedisClient jedis) {
            this.jedis = jedis;
        }

        @Override
        public Verdict ask(int key) {
            get = !get;
            return Verdict.of((get ? jedis.get(KEY) : jedis.set(KEY, KEY)) != null || get);
        }

        @Override
        public void close() {
            jedis.close();
        }
    }
}
