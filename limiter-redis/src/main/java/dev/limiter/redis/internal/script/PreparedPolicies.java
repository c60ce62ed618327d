package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.Packed;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/** The parts of each policy that are the same for every request, made at its first. */
public final class PreparedPolicies {

    /**
     * An application has a handful of policies. Contracts and anchors make more of each, and code
     * can make up policies without end.
     */
    static final int MAX_PREPARED = 10_000;

    private final RedisKeys keys;
    private final StoreClock clock;
    private final ConcurrentHashMap<Policy, Prepared> prepared = new ConcurrentHashMap<>();

    public PreparedPolicies(RedisKeys keys) {
        this(keys, InstantSource.system());
    }

    /** @param own the clock of this process, for periods of the calendar */
    public PreparedPolicies(RedisKeys keys, InstantSource own) {
        this.keys = keys;
        this.clock = new StoreClock(own);
    }

    /**
     * Learns from a refusal which periods of the calendar Redis is in.
     *
     * @return whether the refused call, which has not run, should be encoded again
     */
    public boolean learn(RuntimeException refusal) {
        return clock.learn(refusal);
    }

    public Prepared of(Policy policy) {
        Prepared known = prepared.get(policy);
        if (known != null) {
            return known;
        }
        PeriodTable periods = policy.period() == null ? null : new PeriodTable(policy.period(), clock);
        Prepared made = new Prepared(keys, keys.prefix(policy), policy.rules(), periods);
        if (prepared.size() >= MAX_PREPARED) {
            prepared.clear(); // so those of earlier limits go, and those in use come back
        }
        prepared.put(policy, made);
        return made;
    }

    /** The key of a state that belongs to no policy. */
    public byte[] key(String identity, PartitionKey partition) {
        return keys.key(keys.prefix(identity), partition);
    }

    /**
     * The rules of a policy, and its part of the Redis key.
     *
     * @param periods null for windows of one length
     */
    public record Prepared(RedisKeys keys, byte[] keyPrefix, AlgorithmRules rules, PeriodTable periods) {

        /** The arguments of a check; they must not be changed. */
        public byte[] arguments(Check check) {
            return withPeriods(rules.arguments(check));
        }

        /** Arguments of the policy's script, and the periods of the calendar if it has some. */
        public byte[] withPeriods(byte[] arguments) {
            return periods == null ? arguments : Packed.joined(arguments, periods.boundaries());
        }

        /** The Redis key of a partition. */
        public byte[] key(PartitionKey partition) {
            return keys.key(keyPrefix, partition);
        }
    }
}
