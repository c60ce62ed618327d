package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.UnifiedJedis;

/** A limiter on Redis, and a look into Redis before and after each call. */
final class Watched implements RateLimiter {
    private final RateLimiter limiter;
    private final RedisKeys keys;
    private final UnifiedJedis jedis;
    private final VirtualTime time;
    private final Set<String> named = new HashSet<>();
    private long latestMicros = Long.MIN_VALUE;
    private boolean steppedBack;

    Watched(RateLimiter limiter, RedisKeys keys, UnifiedJedis jedis, VirtualTime time) {
        this.limiter = limiter;
        this.keys = keys;
        this.jedis = jedis;
        this.time = time;
    }

    @Override
    public Decision acquire(Group group) {
        return acquireEach(List.of(group)).get(0);
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        noteTheTime();
        groups.forEach(group -> group.demands().forEach(demand -> name(demand.policy(), demand.key())));
        Snapshot before = Snapshot.of(jedis);
        List<Decision> decisions = limiter.acquireEach(groups);
        Snapshot after = looked();
        if (groups.size() == 1 && decisions.get(0).admitted()) {
            requireTimesToLive(groups.get(0), decisions.get(0), before, after);
        }
        if (!steppedBack && decisions.stream().noneMatch(Decision::admitted)) {
            requireEqual("a rejection", before, after);
        }
        return decisions;
    }

    @Override
    public List<Answer> peek(Group group) {
        noteTheTime();
        Snapshot before = Snapshot.of(jedis);
        List<Answer> answers = limiter.peek(group);
        requireEqual("a peek", before, looked());
        return answers;
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        noteTheTime();
        name(policy, key);
        Charge charge = limiter.charge(policy, key, units);
        looked();
        return charge;
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        noteTheTime();
        boolean given = limiter.refund(admission);
        looked();
        return given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        limiter.reset(policy, key);
        if (looked().expiries().containsKey(redisKey(policy, key))) {
            throw new AssertionError("a reset left " + redisKey(policy, key));
        }
    }

    @Override
    public void close() {
        limiter.close();
    }

    /** Once the clock has stepped back, a rejection may put right what was left too far ahead. */
    private void noteTheTime() {
        steppedBack |= time.micros() < latestMicros;
        latestMicros = Math.max(latestMicros, time.micros());
    }

    private Snapshot looked() {
        Snapshot after = Snapshot.of(jedis);
        after.expiries().forEach((key, expiry) -> {
            if (!named.contains(key)) {
                throw new AssertionError("a key that nobody named: " + key);
            }
            if (expiry <= 0) {
                throw new AssertionError("a key without a time to live: " + key);
            }
        });
        return after;
    }

    /** Until the state is as good as none, and a second more, seen from before and from after the call. */
    private void requireTimesToLive(Group group, Decision decision, Snapshot before, Snapshot after) {
        for (int i = 0; i < group.demands().size(); i++) {
            Demand demand = group.demands().get(i);
            Answer answer = decision.answers().get(i);
            if (!answer.admitted()) {
                continue;
            }
            boolean lease = demand.policy().algorithm() == Algorithm.CONCURRENCY;
            long needed = (lease ? demand.policy().windowMicros() : answer.resetAfterMicros()) / 1_000;
            Long expiry = after.expiries().get(redisKey(demand.policy(), demand.key()));
            boolean early = expiry == null || expiry < before.atMillis() + needed;
            // Leases of others may last longer, and so may a debt that nobody can count down.
            boolean late = !lease && !early && expiry > after.atMillis() + needed + 1_003;
            if (early || late) {
                throw new AssertionError("time to live of " + demand + ": expires at " + expiry
                        + " ms, was written from " + before.atMillis() + " to " + after.atMillis()
                        + " ms, is needed for " + needed + " ms");
            }
        }
    }

    private static void requireEqual(String what, Snapshot before, Snapshot after) {
        if (!before.sameAs(after)) {
            throw new AssertionError(what + " has changed what is in Redis: before " + before + ", after " + after);
        }
    }

    private void name(Policy policy, PartitionKey key) {
        named.add(redisKey(policy, key));
    }

    private String redisKey(Policy policy, PartitionKey key) {
        return new String(keys.key(keys.prefix(policy), key), StandardCharsets.US_ASCII);
    }
}
