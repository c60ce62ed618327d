package dev.limiter.redis.internal.limiter;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.ScriptStore;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import dev.limiter.spi.algorithm.AlgorithmRules;
import dev.limiter.spi.algorithm.Packed;
import dev.limiter.spi.algorithm.StateSnapshot;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Limits in Redis, shared by all processes of one application: one script call for each
 * decision.
 */
public final class RedisRateLimiter implements SlotLimiter, ScriptStore {
    private static final byte[] CHARGE = Packed.of("charge");
    private static final byte[] REFUND = Packed.of("refund");
    private static final byte[] PEEK = Packed.of("peek");

    private static final Program ADJUSTMENTS = Program.adjustments();

    /** Scripts of extensions, by their text. */
    private final Map<String, Program> programs = new ConcurrentHashMap<>();

    private final ScriptExecutor executor;
    private final PreparedPolicies policies;
    private final Signals signals;
    private final String address;
    private final LongSupplier nanos;

    /**
     * @param address how the store is named in errors, without credentials
     * @param nanos a clock that does not step, in ns
     */
    public RedisRateLimiter(
            ScriptExecutor executor, PreparedPolicies policies, Signals signals, String address, LongSupplier nanos) {
        this.executor = executor;
        this.policies = policies;
        this.signals = signals;
        this.address = address;
        this.nanos = nanos;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        return acquire(group, nanos.getAsLong());
    }

    @Override
    public Decision acquire(CheckGroup group, long began) {
        return acquire(group, began, true);
    }

    /** @param first whether a refusal about periods of the calendar is followed by a second call */
    private Decision acquire(CheckGroup group, long began, boolean first) {
        DecisionCall call = DecisionCall.decide(policies, group);
        try {
            return call.decision(executor.decide(call, began));
        } catch (RuntimeException failed) {
            if (policies.learn(failed) && first) {
                return acquire(group, began, false);
            }
            throw unavailable("decision", failed);
        }
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        if (groups.size() <= MAX_GROUPS) {
            return groups.isEmpty() ? List.of() : decide(groups);
        }
        List<Decision> all = new ArrayList<>(groups.size());
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            all.addAll(decide(groups.subList(from, Math.min(groups.size(), from + MAX_GROUPS))));
        }
        return all;
    }

    private List<Decision> decide(List<CheckGroup> groups) {
        if (groups.size() == 1) {
            return List.of(acquire(groups.get(0)));
        }
        DecisionCall call = DecisionCall.decideEach(policies, groups);
        long began = nanos.getAsLong();
        List<Optional<Decision>> made;
        try {
            Reply reply = executor.decide(call, began);
            made = call.decisions(reply);
            for (int i = 0; i < made.size(); i++) {
                if (made.get(i).isEmpty()) {
                    policies.learn(reply.refusal(i));
                }
            }
        } catch (RuntimeException failed) {
            if (!policies.learn(failed)) {
                throw unavailable("decision", failed);
            }
            made = new ArrayList<>(Collections.nCopies(groups.size(), Optional.empty()));
        }
        return withRefused(groups, made, began);
    }

    /** Asks again for the groups that were refused because of periods: they have not run. */
    private List<Decision> withRefused(List<CheckGroup> groups, List<Optional<Decision>> made, long began) {
        StoreUnavailableException failure = null;
        for (int i = 0; i < made.size(); i++) {
            if (made.get(i).isEmpty()) {
                try {
                    made.set(i, Optional.of(acquire(groups.get(i), began, false)));
                } catch (StoreUnavailableException unavailable) {
                    failure = unavailable;
                }
            }
        }
        if (failure != null) {
            throw failure.withDecisions(made);
        }
        return made.stream().map(Optional::orElseThrow).toList();
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        return peek(group, nanos.getAsLong());
    }

    @Override
    public List<CheckResult> peek(CheckGroup group, long began) {
        return peek(group, began, true);
    }

    private List<CheckResult> peek(CheckGroup group, long began, boolean first) {
        DecisionCall call = DecisionCall.peek(policies, group);
        try {
            return call.results(executor.decide(call, began));
        } catch (RuntimeException failed) {
            if (policies.learn(failed) && first) {
                return peek(group, began, false);
            }
            throw unavailable("decision", failed);
        }
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        ChargeResult.requireChargeable(policy, units);
        return units == 0 ? ChargeResult.ofNothing(peek(policy, key)) : charge(policy, key, units, true);
    }

    private ChargeResult charge(Policy policy, PartitionKey key, long units, boolean first) {
        Check check = Check.of(policy, key);
        PreparedPolicies.Prepared prepared = policies.of(policy);
        AlgorithmRules rules = policy.rules().adjusting();
        List<byte[]> arguments = List.of(
                CHARGE, rules.scriptName(), prepared.withPeriods(rules.arguments(check)), rules.debtArguments(units));
        try {
            Reply reply = adjust(List.of(prepared.key(key)), arguments);
            StateSnapshot before = rules.read(reply);
            StateSnapshot after = rules.read(reply);
            return StateSnapshot.charged(check, units, before, after);
        } catch (RuntimeException failed) {
            if (policies.learn(failed) && first) {
                return charge(policy, key, units, false);
            }
            throw unavailable("decision", failed);
        }
    }

    @Override
    public boolean refund(Receipt receipt) {
        List<Receipt.Item> items = receipt.spend();
        if (items.isEmpty()) {
            return false;
        }
        List<byte[]> keys = new ArrayList<>(items.size());
        List<byte[]> arguments = new ArrayList<>(3 * items.size());
        items.forEach(item -> append(item, keys, arguments));
        try {
            return anyGiven(adjust(keys, arguments), items);
        } catch (RuntimeException failed) {
            throw unavailable("decision", failed);
        }
    }

    private void append(Receipt.Item item, List<byte[]> keys, List<byte[]> arguments) {
        Check check = item.check();
        PreparedPolicies.Prepared prepared = policies.of(check.policy());
        keys.add(prepared.key(check.key()));
        arguments.add(REFUND);
        arguments.add(prepared.rules().adjusting().scriptName());
        arguments.add(prepared.rules().refundArguments(check, item.snapshot(), item.atMicros()));
    }

    /** A refusal about periods comes after the refund: then only the peek is asked again. */
    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        List<Receipt.Item> items = receipt.spend();
        if (items.isEmpty()) {
            return peek(policy, key);
        }
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        items.forEach(item -> append(item, keys, arguments));
        Check check = Check.of(policy, key);
        PreparedPolicies.Prepared prepared = policies.of(policy);
        AlgorithmRules rules = policy.rules().adjusting();
        keys.add(prepared.key(key));
        arguments.add(PEEK);
        arguments.add(rules.scriptName());
        arguments.add(prepared.withPeriods(rules.arguments(check)));
        try {
            Reply reply = adjust(keys, arguments);
            anyGiven(reply, items);
            return rules.read(reply).result(check, false);
        } catch (RuntimeException failed) {
            if (policies.learn(failed)) {
                return peek(policy, key);
            }
            throw unavailable("decision", failed);
        }
    }

    private Reply adjust(List<byte[]> keys, List<byte[]> arguments) {
        return Reply.of(executor.run(ADJUSTMENTS, keys, arguments));
    }

    private boolean anyGiven(Reply reply, List<Receipt.Item> items) {
        boolean given = false;
        for (Receipt.Item item : items) {
            boolean isGiven = reply.nextFits();
            given |= isGiven;
            if (!isGiven && item.isExpiredLease(reply.atMicros())) {
                signals.leaseExpired();
            }
        }
        return given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        try {
            executor.delete(policies.of(policy).key(key));
        } catch (RuntimeException failed) {
            throw unavailable("decision", failed);
        }
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return new String(policies.of(policy).key(key), StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] key(String identity, PartitionKey partition) {
        return policies.key(identity, partition);
    }

    @Override
    public <T> T run(
            String script,
            List<byte[]> keys,
            List<byte[]> arguments,
            int expectedReplyBytes,
            int maxReplyBytes,
            Function<ByteBuffer, T> reader) {
        Program program = programs.computeIfAbsent(script, Program::of);
        ReplyBytes replyBytes = new ReplyBytes(expectedReplyBytes, maxReplyBytes);
        try {
            Object reply = executor.run(program, keys, arguments, replyBytes);
            if (reply instanceof JedisDataException refusal) {
                throw refusal;
            }
            ByteBuffer bytes = ByteBuffer.wrap((byte[]) reply);
            bytes.getDouble(); // the instant of the call
            return reader.apply(bytes);
        } catch (RuntimeException failed) {
            throw unavailable("answer", failed);
        }
    }

    @Override
    public void close() {
        executor.close();
    }

    /**
     * The exception for callers, whatever the client threw or replied: there is no decision.
     *
     * @param what is missing, for the message
     */
    private StoreUnavailableException unavailable(String what, RuntimeException failed) {
        if (!(failed instanceof JedisException)) {
            signals.storeFailed(StoreError.OTHER, true); // a malformed reply
        } else if (PreparedPolicies.isAboutPeriods(failed)) {
            signals.storeFailed(StoreError.OTHER, false); // and is not asked again
        }
        return new StoreUnavailableException(
                "Redis at " + address + " gave no " + what + ": " + failed.getMessage(), failed);
    }
}
