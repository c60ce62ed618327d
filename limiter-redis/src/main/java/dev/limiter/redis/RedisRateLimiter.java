package dev.limiter.redis;

import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Reading;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;

/** Limits held in Redis, shared by every process of one application: one script call for each decision. */
final class RedisRateLimiter implements RateLimiter {
    private static final byte[] CHARGE = Argument.of("charge");
    private static final byte[] REFUND = Argument.of("refund");

    private final UnifiedJedis jedis;
    private final ScriptRunner decisions;
    private final ScriptRunner settlements;
    private final PreparedPolicies policies;
    private final Signals signals;
    private final String address;

    /**
     * @param decisions runs {@link Script#decisions}
     * @param settlements runs {@link Script#settlements}
     * @param address how the store is named in errors, without credentials
     */
    RedisRateLimiter(
            UnifiedJedis jedis,
            ScriptRunner decisions,
            ScriptRunner settlements,
            PreparedPolicies policies,
            Signals signals,
            String address) {
        this.jedis = jedis;
        this.decisions = decisions;
        this.settlements = settlements;
        this.policies = policies;
        this.signals = signals;
        this.address = address;
    }

    @Override
    public Decision acquire(Group group) {
        DecisionCall call = new DecisionCall(policies);
        call.decide(group);
        return answered(() -> {
            Reply reply = decisions.run(call.keys(), call.arguments());
            long at = reply.next();
            return Reading.decide(group, call.readings(group, reply), at);
        });
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        List<Decision> all = new ArrayList<>(groups.size());
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            all.addAll(decide(groups.subList(from, Math.min(groups.size(), from + MAX_GROUPS))));
        }
        return all;
    }

    private List<Decision> decide(List<Group> groups) {
        DecisionCall call = new DecisionCall(policies);
        groups.forEach(call::decide);
        return answered(() -> {
            Reply reply = decisions.run(call.keys(), call.arguments());
            long at = reply.next();
            List<Decision> made = new ArrayList<>(groups.size());
            for (Group group : groups) {
                made.add(Reading.decide(group, call.readings(group, reply), at));
            }
            return made;
        });
    }

    @Override
    public List<Answer> peek(Group group) {
        DecisionCall call = new DecisionCall(policies);
        call.peek(group);
        return answered(() -> {
            Reply reply = decisions.run(call.keys(), call.arguments());
            reply.next();
            return Reading.peeked(group, call.readings(group, reply));
        });
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        Charge.requireChargeable(policy, units);
        Demand demand = Demand.of(policy, key);
        PreparedPolicies.Prepared prepared = policies.of(policy);
        List<byte[]> arguments = new ArrayList<>(12);
        arguments.add(CHARGE);
        prepared.script().arguments(demand, arguments);
        prepared.script().debt(policy, units, arguments);
        return answered(() -> {
            Reply reply = settlements.run(List.of(prepared.key(key)), arguments);
            reply.next();
            Reading before = prepared.script().reading(reply);
            Reading after = prepared.script().reading(reply);
            return Reading.charged(demand, units, before, after);
        });
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        List<Receipt.Item> items = admission.receipt().spend();
        if (items.isEmpty()) {
            return false;
        }
        List<byte[]> keys = new ArrayList<>(items.size());
        List<byte[]> arguments = new ArrayList<>(8 * items.size());
        for (Receipt.Item item : items) {
            Demand demand = item.demand();
            PreparedPolicies.Prepared prepared = policies.of(demand.policy());
            keys.add(prepared.key(demand.key()));
            arguments.add(REFUND);
            prepared.script().refund(demand, item.reading(), item.atMicros(), arguments);
        }
        return answered(() -> anyGiven(settlements.run(keys, arguments), keys.size()));
    }

    private static boolean anyGiven(Reply reply, int items) {
        reply.next();
        boolean given = false;
        for (int i = 0; i < items; i++) {
            given |= reply.nextFlag();
        }
        return given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        answered(() -> jedis.del(policies.of(policy).key(key)));
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return new String(policies.of(policy).key(key), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        jedis.close();
    }

    /** The border of the store: whatever its client throws, or answers amiss, is one thing to callers: there is no answer. */
    private <T> T answered(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException failed) {
            if (!(failed instanceof JedisException)) {
                signals.storeFailed(StoreError.OTHER, true); // an answer that is none
            }
            throw new StoreUnavailableException(
                    "Redis at " + address + " gave no decision: " + failed.getMessage(), failed);
        }
    }
}
