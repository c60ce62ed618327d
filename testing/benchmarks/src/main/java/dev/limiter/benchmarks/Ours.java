package dev.limiter.benchmarks;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.util.List;

/**
 * The limiter as a program asks it: {@link RateLimiter#acquire(CheckGroup)} with the key's text,
 * with the local mirror, and with every number of the result.
 */
final class Ours implements Competitor {
    private final RateLimiter limiter;
    private final List<Policy> policies;
    private final PartitionKey[][] keys;

    /**
     * @param policies asked together, each on a partition of its own
     */
    Ours(RateLimiter limiter, List<Policy> policies, List<String> keys) {
        this.limiter = limiter;
        this.policies = policies;
        this.keys = keys.stream()
                .map(key -> policies.stream().map(policy -> key(policy, key)).toArray(PartitionKey[]::new))
                .toArray(PartitionKey[][]::new);
    }

    Ours(RateLimiter limiter, Policy policy, List<String> keys) {
        this(limiter, List.of(policy), keys);
    }

    /** The partition of a policy for a text; each policy has another one. */
    static PartitionKey key(Policy policy, String text) {
        return PartitionKey.of(policy.name(), text);
    }

    @Override
    public Verdict ask(int key) {
        Decision decision = policies.size() == 1
                ? limiter.acquire(policies.get(0), keys[key][0])
                : limiter.acquire(group(keys[key]));
        return decision.fallback() ? Verdict.UNANSWERED : Verdict.of(decision.admitted());
    }

    private CheckGroup group(PartitionKey[] partitions) {
        Check[] checks = new Check[partitions.length];
        for (int i = 0; i < checks.length; i++) {
            checks[i] = Check.of(policies.get(i), partitions[i]);
        }
        return CheckGroup.of(checks);
    }

    /** The limiter is shared with others, and closed by the code that made it. */
    @Override
    public void close() {}
}
