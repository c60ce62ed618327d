package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Quota;
import dev.limiter.operations.internal.CountedRejections;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * One caller and the server on one core, where a round trip has no wake-up of another core in
 * it.
 */
final class OneCore {
    private static final Quota QUOTA = new Quota(10_000_000, Duration.ofSeconds(1));
    private static final long[] LOG_LIMITS = {10, 1_000, 100_000};
    private static final int SLICES_OF_WARM_UP = 8;
    private static final Duration ONE_DAY = Duration.ofDays(1);
    private static final List<String> KEY = List.of("someone");
    /** The share of the limit, so that steady traffic is all admitted. */
    private static final double LOAD_OF_LOGS = 0.3;
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
                RateLimiter limiter = Limiters.of(redis);
                RateLimiter open = Limiters.of(redis, Map.of("limiter.on-store-failure", "OPEN"));
                Competitor fixed = new FixedLoad(redis)) {
            Contender<Competitor> get = new Contender<>(Who.GET, new PooledGet(Pools.of(redis), KEY));
            Policy policy = policy("gcra", Algorithm.GCRA);
            Contender<Competitor> gcra = ours(Who.GCRA, limiter, policy);
            double nanos = typicalNanos(gcra.subject());
            List<Block<Competitor>> blocks = new ArrayList<>();
            blocks.add(Block.of(ours(Who.GCRA_OPEN, open, policy), gcra, gcra));
            blocks.add(Block.of(gcra, new Contender<>(Who.COUNTED, new CountedRejections())));
            blocks.add(Block.of(ours(Who.REMEMBERED, limiter, Policy.of("rejecting", Algorithm.GCRA, 1, ONE_DAY))));
            for (Policy each : List.of(
                    policy, policy("fixed", Algorithm.FIXED_WINDOW), policy("tokens", Algorithm.TOKEN_BUCKET))) {
                String name = Who.LIMITER + each.algorithm();
                blocks.add(againstItsScript(redis, limiter, name, get, each, Duration.ZERO));
            }
            blocks.addAll(Block.chain(gcra, others(limiter)));
            blocks.add(fiveAgainstTheirScript(redis, limiter));
            List<Contender<Competitor>> peers = new ArrayList<>();
            peers.add(get);
            Contender<Competitor> gateway =
                    new Contender<>(Who.GATEWAY, new GatewayScript(Pools.of(redis), QUOTA, KEY));
            peers.add(gateway);
            peers.add(gateway); // again, since server times vary most
            peers.addAll(Entrance.all(redis, QUOTA, KEY, output));
            blocks.addAll(Block.chain(gcra, peers));
            blocks.addAll(logs(redis, limiter, nanos, get));
            blocks.addAll(Build.blocks(redis, QUOTA, KEY));
            Meter<Competitor> meter = new OneThread(KEY.size());
            new Duels<>(
                            mode,
                            Series.ONE_CORE,
                            new ServerCost<>(redis, meter),
                            () -> meter.measure(fixed, mode.calibrationSlice()).get(Metric.CHECKS),
                            output)
                    .run(List.of(blocks), mode.oneCoreRounds(), mode.oneThreadSlice());
            blocks.stream()
                    .flatMap(Block::contenders)
                    .distinct()
                    .forEach(each -> each.subject().close());
        }
    }

    /** What the limiter's Java costs, and what the script costs. */
    private static Block<Competitor> againstItsScript(
            RedisServer redis,
            RateLimiter limiter,
            String name,
            Contender<Competitor> get,
            Policy policy,
            Duration leadIn) {
        RecordedCall call = RecordedCall.of(redis, limiter, policy, KEY.get(0));
        Contender<Competitor> ours = new Contender<>(name, new Ours(limiter, policy, KEY), leadIn);
        return Block.of(new Contender<>(Who.byHand(name), new PooledScript(Pools.of(redis), call)), ours, get, ours);
    }

    private static Block<Competitor> fiveAgainstTheirScript(RedisServer redis, RateLimiter limiter) {
        Competitor ours = new Ours(limiter, five(), KEY);
        ours.ask(0);
        RecordedCall call = RecordedCall.of(redis, () -> ours.ask(0));
        return Block.of(
                new Contender<>(Who.byHand(Who.FIVE), new PooledScript(Pools.of(redis), call)),
                new Contender<>(Who.FIVE, ours));
    }

    private static List<Contender<Competitor>> others(RateLimiter limiter) {
        Contender<Competitor> five = new Contender<>(Who.FIVE, new Ours(limiter, five(), KEY));
        return List.of(
                five,
                five, // again, since server times vary most
                new Contender<>(Who.FIVE_MIXED, new Ours(limiter, fiveMixed(), KEY)),
                ours(Who.SLIDING_WINDOW, limiter, policy("sliding", Algorithm.SLIDING_WINDOW)),
                ours(
                        Who.INTERVAL,
                        limiter,
                        policy("interval", Algorithm.TOKEN_BUCKET).withRefill(Refill.INTERVAL)));
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

    private List<Block<Competitor>> logs(
            RedisServer redis, RateLimiter limiter, double nanos, Contender<Competitor> get) {
        List<Block<Competitor>> blocks = new ArrayList<>();
        for (long limit : LOG_LIMITS) {
            Duration window = window(limit, nanos);
            Policy policy = Policy.of("log-" + limit, Algorithm.SLIDING_LOG, limit, window);
            blocks.add(againstItsScript(redis, limiter, Who.log(limit), get, policy, leadIn(window)));
            List<String> arguments = List.of("1", Long.toString(limit), Long.toString(policy.windowMicros()));
            Contender<Competitor> ours = new Contender<>(Who.log(limit), new Ours(limiter, policy, KEY));
            blocks.add(Block.of(
                    new Contender<>(
                            Who.exactSet(limit),
                            new LuaCompetitor(
                                    Pools.of(redis), "exact_sorted_set.lua", List.of("set:" + limit), arguments),
                            leadIn(window)),
                    ours,
                    ours,
                    ours)); // several times, since server times vary most
        }
        return blocks;
    }

    /** The rough time of a check on this machine, once compilers have done their work. */
    private double typicalNanos(Competitor competitor) {
        OneThread meter = new OneThread(KEY.size());
        return DoubleStream.generate(
                        () -> meter.measure(competitor, mode.warmUp()).get(Metric.NANOS))
                .limit(SLICES_OF_WARM_UP)
                .min()
                .orElseThrow();
    }

    private static Contender<Competitor> ours(String name, RateLimiter limiter, Policy policy) {
        return new Contender<>(name, new Ours(limiter, policy, KEY));
    }

    private static Policy policy(String name, Algorithm algorithm) {
        return Policy.of(name, algorithm, QUOTA.limit(), QUOTA.window());
    }
}
