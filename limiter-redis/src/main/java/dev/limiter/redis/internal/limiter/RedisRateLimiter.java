package dev.limiter.redis.internal.limiter;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.PeriodCount;
import dev.limiter.internal.algorithm.StateSnapshot;
import dev.limiter.internal.store.Receipt;
import dev.limiter.internal.store.ScriptStore;
import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.script.Adjustment;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.script.StoreClock;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
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
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Limits in Redis, shared by all processes of one application: one script call for each
 * decision.
 *
 * <p>Not final: tests of a cluster decide in memory.
 */
public class RedisRateLimiter implements RateLimiter, ScriptStore {
    private static final Program USAGE = Program.usage();

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

    /**
     * As {@link #acquire(CheckGroup)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock of this limiter
     */
    Decision acquire(CheckGroup group, long began) {
        return call(() -> {
            DecisionCall call = DecisionCall.decide(policies, group);
            return call.decision(executor.decide(call, began));
        });
    }

    /**
     * Calls Redis. A refusal about periods of the calendar is followed by a second call, which
     * is encoded anew: the refused one has not run.
     */
    private <T> T call(Supplier<T> attempt) {
        for (boolean first = true; ; first = false) {
            try {
                return attempt.get();
            } catch (RuntimeException failed) {
                if (!policies.learn(failed) || !first) {
                    throw unavailable("decision", failed);
                }
            }
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
        List<Optional<Decision>> made = new ArrayList<>(Collections.nCopies(groups.size(), Optional.empty()));
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
        }
        return withRefused(groups, made, began);
    }

    /** Asks again for the groups that were refused because of periods: they have not run. */
    private List<Decision> withRefused(List<CheckGroup> groups, List<Optional<Decision>> made, long began) {
        StoreUnavailableException failure = null;
        for (int i = 0; i < made.size(); i++) {
            if (made.get(i).isEmpty()) {
                try {
                    made.set(i, Optional.of(acquire(groups.get(i), began)));
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

    /**
     * As {@link #peek(CheckGroup)}, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock of this limiter
     */
    List<CheckResult> peek(CheckGroup group, long began) {
        return call(() -> {
            DecisionCall call = DecisionCall.peek(policies, group);
            return call.results(executor.decide(call, began));
        });
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        ChargeResult.requireChargeable(policy, units);
        if (units == 0) {
            return ChargeResult.ofNothing(peek(policy, key));
        }
        Check check = Check.of(policy, key);
        AlgorithmRules rules = policy.rules().adjusting();
        return call(() -> {
            Reply reply = adjust(new Adjustment(policies).charge(check, units));
            return StateSnapshot.charged(check, units, rules.read(reply), rules.read(reply));
        });
    }

    @Override
    public boolean refund(Receipt receipt) {
        List<Receipt.Item> items = receipt.spend();
        return !items.isEmpty() && call(() -> anyGiven(giveBack(items), items));
    }

    /** Leases are given back by name: a second call after a lost one gives no other lease back. */
    private Reply giveBack(List<Receipt.Item> items) {
        Adjustment refund = new Adjustment(policies).refund(items);
        try {
            return adjust(refund);
        } catch (CallFailedException lost) {
            if (!items.stream().allMatch(Receipt.Item::isLease)) {
                throw lost;
            }
            return adjust(refund);
        }
    }

    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        Check check = Check.of(policy, key);
        return call(() -> {
            // None the second time: Redis gives back before it refuses the peek.
            List<Receipt.Item> items = receipt.spend();
            Reply reply = adjust(new Adjustment(policies).refund(items).peek(check));
            anyGiven(reply, items);
            return policy.rules().adjusting().read(reply).result(check, false);
        });
    }

    private Reply adjust(Adjustment adjustment) {
        return Reply.of(executor.run(Adjustment.PROGRAM, adjustment.keys(), adjustment.arguments()));
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
        call(() -> {
            executor.delete(policies.of(policy).key(key));
            return null;
        });
    }

    @Override
    public Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        PeriodCount.requireKnown(policy, period);
        return call(() -> {
            Reply reply =
                    Reply.of(executor.run(USAGE, List.of(policies.of(policy).key(key)), List.of()));
            long now = reply.next();
            PeriodCount last = new PeriodCount(reply.next(), reply.next());
            return PeriodCount.usage(policy, period, now, last, new PeriodCount(reply.next(), reply.next()));
        });
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
        } else if (StoreClock.isAboutPeriods(failed)) {
            signals.storeFailed(StoreError.OTHER, false); // and is not asked again
        }
        return new StoreUnavailableException(
                "Redis at " + address + " gave no " + what + ": " + failed.getMessage(), failed);
    }
}
