package dev.limiter.redis.internal.script;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.AlgorithmRules;
import java.util.concurrent.ConcurrentHashMap;

/** The parts of each policy that are the same for every request, made at its first. */
public final class PreparedPolicies {

    /**
     * An application has a handful of policies. The bound is for policies that code makes up.
     */
    private static final int MAX_PREPARED = 10_000;

    private final RedisKeys keys;
    private final ConcurrentHashMap<Policy, Prepared> prepared = new ConcurrentHashMap<>();

    public PreparedPolicies(RedisKeys keys) {
        this.keys = keys;
    }

    public Prepared of(Policy policy) {
        Prepared known = prepared.get(policy);
        if (known != null) {
            return known;
        }
        Prepared made = new Prepared(keys, keys.prefix(policy), policy.rules());
        if (prepared.size() < MAX_PREPARED) {
            prepared.put(policy, made);
        }
        return made;
    }

    /** The key of a state that belongs to no policy. */
    public byte[] key(String identity, PartitionKey partition) {
        return keys.key(keys.prefix(identity), partition);
    }

    /** The rules of a policy, and its part of the Redis key. */
    public record Prepared(RedisKeys keys, byte[] keyPrefix, AlgorithmRules rules) {

        /** The Redis key of a partition. */
        public byte[] key(PartitionKey partition) {
            return keys.key(keyPrefix, partition);
        }
    }
}
