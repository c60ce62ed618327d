package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Competitor;
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

    private static final int WARM_UPS = 4;

    private static final Map<String, String> OPEN = Map.of("limiter.on-store-failure", "OPEN");

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
        int rounds = mode.manyThreadsRounds() * (crew == Crew.VIRTUAL ? 2 : 1); // their speed varies more
        run(Series.manyKeys(crew), OF_MANY, keys, rounds, mode.manyThreadsSlice());
    }

    /** In longer slices: some peers make a check in a tenth of a second. */
    void hotKey() {
        run(Series.hotKey(crew), OF_ONE, List.of("everyone"), halfTheRounds(), mode.oneThreadSlice());
    }

    private int halfTheRounds() {
        return (mode.manyThreadsRounds() + 1) / 2;
    }

    private void run(String series, Quota quota, List<String> keys, int rounds, Duration slice) {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis);
                RateLimiter open = Limiters.of(redis, OPEN);
                Competitor fixed = new FixedLoad(redis)) {
            Policy gcra = policy("gcra", Algorithm.GCRA, quota);
            Contender<Competitor> ours = ours(Who.GCRA, limiter, gcra, keys);
            List<Contender<Competitor>> others = new ArrayList<>();
            others.add(new Contender<>(Who.GET, new PooledGet(Pools.of(redis), keys)));
            others.add(
                    new Contender<>(Who.GCRA_BY_HAND, new PooledScript(redis, Pools.of(redis), limiter, gcra, keys)));
            others.add(new Contender<>(Who.GATEWAY, new GatewayScript(Pools.of(redis), quota, keys)));
            others.addAll(Entrance.all(redis, quota, keys, output));
            List<Block<Competitor>> blocks = new ArrayList<>(Block.chain(ours, others));
            List<Contender<Competitor>> algorithms = new ArrayList<>();
            algorithms.add(ours(Who.TOKENS, limiter, policy("tokens", Algorithm.TOKEN_BUCKET, quota), keys));
            algorithms.add(ours(Who.FIXED, limiter, policy("fixed", Algorithm.FIXED_WINDOW, quota), keys));
            if (quota.limit() <= Algorithm.SLIDING_LOG.maxLimit()) {
                algorithms.add(ours(Who.LOG, limiter, policy("log", Algorithm.SLIDING_LOG, quota), keys));
            }
            if (crew == Crew.PLATFORM) { // virtual threads make the same calls
                blocks.add(new Block<>(ours, algorithms));
            }
            if (keys.size() > 1) {
                blocks.add(Block.of(ours(Who.GCRA_OPEN, open, gcra, keys), ours, ours));
            }
            blocks.addAll(Build.blocks(redis, quota, keys));
            Meter<Competitor> meter = new ServerCost<>(redis, new ManyThreads(crew, keys.size()));
            Meter<Competitor> ofTheMachine = new ManyThreads(crew, 1);
            new Duels<>(
                            mode,
                            series,
                            meter,
                            () -> ofTheMachine
                                    .measure(fixed, mode.calibrationSlice())
                                    .get(Metric.CHECKS),
                            output)
                    .run(List.of(blocks), rounds, slice);
            blocks.stream()
                    .flatMap(Block::contenders)
                    .distinct()
                    .forEach(each -> each.subject().close());
        }
    }

    /**
     * The bytes that a check allocates, and one key that is rejected, by one thread and by two. No
     * competitor is here, for which the compiler would make other code. No round is dropped: bytes
     * are the same on a slow machine.
     */
    void alone() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis)) {
            List<String> key = List.of("everyone");
            Policy log = Policy.of("log", Algorithm.SLIDING_LOG, 1_000_000, Duration.ofMillis(10));
            alone(ours(Who.GCRA, limiter, policy("gcra", Algorithm.GCRA, OF_ONE), key), new OneThread(1));
            alone(ours(Who.FIXED, limiter, policy("fixed", Algorithm.FIXED_WINDOW, OF_ONE), key), new OneThread(1));
            alone(ours(Who.LOG, limiter, log, key), new OneThread(1));
            Policy policy = Policy.of("rejecting", Algorithm.GCRA, 1, Duration.ofDays(1));
            limiter.acquire(policy, Ours.key(policy, "everyone"));
            alone(ours(Who.REMEMBERED, limiter, policy, key), new OneThread(1));
            for (int threads : new int[] {1, 2}) {
                alone(ours(Who.rejectedBy(threads), limiter, policy, key), new ManyRejections(threads));
            }
        }
    }

    private void alone(Contender<Competitor> contender, Meter<Competitor> meter) {
        meter.measure(contender.subject(), mode.warmUp().multipliedBy(WARM_UPS)); // until all is compiled
        for (int round = 0; round < halfTheRounds(); round++) {
            meter.measure(contender.subject(), mode.oneThreadSlice())
                    .forEach(
                            (metric, value) -> output.sample(Sample.of(Series.ALONE, contender.name(), metric, value)));
        }
    }

    private static Contender<Competitor> ours(String name, RateLimiter limiter, Policy policy, List<String> keys) {
        return new Contender<>(name, new Ours(limiter, policy, keys));
    }

    private static Policy policy(String name, Algorithm algorithm, Quota quota) {
        return Policy.of(name, algorithm, quota.limit(), quota.window());
    }
}
