package dev.limiter.redis;

import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Reading;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.UnifiedJedis;

/** Limits held in Redis, shared by every process of one application: one script call for each decision. */
final class RedisRateLimiter implements RateLimiter {

    /** Prepared policies that are kept; an application has a handful, so this only bounds what code could make up. */
    private static final int MAX_PREPARED = 10_000;

    private final UnifiedJedis jedis;
    private final ScriptRunner runner;
    private final RedisKeys keys;
    private final String address;
    private final ConcurrentHashMap<Policy, Prepared> prepared = new ConcurrentHashMap<>();

    /**
     * @param address how the store is named in errors, without credentials
     */
    RedisRateLimiter(UnifiedJedis jedis, ScriptRunner runner, RedisKeys keys, String address) {
        this.jedis = jedis;
        this.runner = runner;
        this.keys = keys;
        this.address = address;
    }

    @Override
    public Decision acquire(Group group) {
        List<Demand> demands = group.demands();
        Prepared[] policies = new Prepared[demands.size()];
        List<byte[]> redisKeys = new ArrayList<>(demands.size());
        List<byte[]> arguments = new ArrayList<>(1 + 7 * demands.size());
        arguments.add(Integer.toString(demands.size()).getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < policies.length; i++) {
            Demand demand = demands.get(i);
            Prepared policy = policies[i] = prepared(demand.policy());
            long phase = demand.key().spread() % policy.windowMicros();
            redisKeys.add(keys.key(policy.keyPrefix(), demand.key()));
            policy.script().arguments(demand.cost(), phase, arguments);
        }
        return decision(demands, readings(policies, redisKeys, arguments));
    }

    @Override
    public void close() {
        jedis.close();
    }

    /** The border of the store: whatever its client throws, or answers amiss, is one thing to callers: there is no decision. */
    private List<Reading> readings(Prepared[] policies, List<byte[]> redisKeys, List<byte[]> arguments) {
        try {
            Reply reply = runner.run(redisKeys, arguments);
            List<Reading> readings = new ArrayList<>(policies.length);
            for (Prepared policy : policies) {
                readings.add(policy.script().reading(reply));
            }
            return readings;
        } catch (RuntimeException failed) {
            throw new StoreUnavailableException(
                    "Redis at " + address + " gave no decision: " + failed.getMessage(), failed);
        }
    }

    private static Decision decision(List<Demand> demands, List<Reading> readings) {
        boolean admitted = true;
        for (Reading reading : readings) {
            admitted &= reading.fits();
        }
        List<Answer> answers = new ArrayList<>(readings.size());
        for (int i = 0; i < readings.size(); i++) {
            Demand demand = demands.get(i);
            answers.add(readings.get(i).answer(demand.policy(), demand.cost(), admitted));
        }
        return Decision.of(answers);
    }

    private Prepared prepared(Policy policy) {
        Prepared known = prepared.get(policy);
        if (known != null) {
            return known;
        }
        Prepared made = new Prepared(keys.prefix(policy), PolicyScript.of(policy), policy.windowMicros());
        if (prepared.size() < MAX_PREPARED) {
            prepared.put(policy, made);
        }
        return made;
    }

    /** What of a policy is the same for every request. */
    private record Prepared(byte[] keyPrefix, PolicyScript script, long windowMicros) {}
}
