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
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
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
    private static final Program USAGE = Program.ofFile("usage.lua");

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
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            return ask.is(acquire(acquire.group(), nanos.getAsLong()));
        }
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(decideEach(each.groups()));
        }
        if (ask instanceof Ask.Peek peek) {
            return ask.is(peek(peek.group(), nanos.getAsLong()));
        }
        if (ask instanceof Ask.Charge charge) {
            return ask.is(charge(charge.check(), charge.units()));
        }
        if (ask instanceof Ask.GiveBack back) {
            return ask.is(giveBack(back));
        }
        if (ask instanceof Ask.Count count) {
            return ask.is(count(count.check(), count.period()));
        }
        return ask.is(reset(((Ask.Reset) ask).check()));
    }

    /**
     * Decides on a group, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock of this limiter
     */
    Decision acquire(CheckGroup group, long began) {
        try {
            return decided(group, began);
        } catch (RuntimeException failed) {
            return again(failed, () -> decided(group, began)); // nearly all calls make no lambda
        }
    }

    private Decision decided(CheckGroup group, long began) {
        DecisionCall call = DecisionCall.decide(policies, group);
        return call.decision(executor.decide(call, began));
    }

    private <T> T call(Supplier<T> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException failed) {
            return again(failed, attempt);
        }
    }

    /**
     * A refusal about periods of the calendar is followed by a second call, which is encoded
     * anew: the refused one has not run.
     *
     * @throws StoreUnavailableException for every other failure
     */
    private <T> T again(RuntimeException refusal, Supplier<T> attempt) {
        if (!policies.learn(refusal)) {
            throw unavailable("decision", refusal);
        }
        try {
            return attempt.get();
        } catch (RuntimeException failed) {
            policies.learn(failed);
            throw unavailable("decision", failed);
        }
    }

    private GroupDecisions decideEach(List<CheckGroup> groups) {
        List<Optional<Decision>> all = new ArrayList<>(groups.size());
        StoreUnavailableException failure = null;
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            GroupDecisions some = decideTogether(groups.subList(from, Math.min(groups.size(), from + MAX_GROUPS)));
            all.addAll(some.made());
            failure = some.failure() == null ? failure : some.failure();
        }
        return new GroupDecisions(all, failure);
    }

    /** Decides the groups of one round trip. */
    private GroupDecisions decideTogether(List<CheckGroup> groups) {
        DecisionCall call = DecisionCall.decideEach(policies, groups);
        long began = nanos.getAsLong();
        List<Optional<Decision>> made = Collections.nCopies(groups.size(), Optional.empty());
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
                return new GroupDecisions(made, unavailable("decision", failed));
            }
        }
        // Those that were refused because of periods have not run, and are asked again.
        Iterator<Optional<Decision>> each = made.iterator();
        return GroupDecisions.oneByOne(groups, group -> each.next().orElseGet(() -> acquire(group, began)));
    }

    /**
     * What a decision on a group would say, within what is left of the deadline.
     *
     * @param began when the whole decision began, in ns by the clock of this limiter
     */
    List<CheckResult> peek(CheckGroup group, long began) {
        return call(() -> {
            DecisionCall call = DecisionCall.peek(policies, group);
            return call.results(executor.decide(call, began));
        });
    }

    private ChargeResult charge(Check check, long units) {
        AlgorithmRules rules = check.policy().rules().adjusting();
        return call(() -> {
            Reply reply = adjust(new Adjustment(policies).charge(check, units));
            return StateSnapshot.charged(check, units, rules.read(reply), rules.read(reply));
        });
    }

    private Ask.GiveBack.Given giveBack(Ask.GiveBack back) {
        Check then = back.thenPeek();
        if (then != null) {
            return call(() -> giveBackThenPeek(back.receipt(), then));
        }
        List<Receipt.Item> items = back.receipt().spend();
        return new Ask.GiveBack.Given(!items.isEmpty() && call(() -> anyGiven(giveBack(items), items)), null);
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

    private Ask.GiveBack.Given giveBackThenPeek(Receipt receipt, Check then) {
        // None the second time: Redis gives back before it refuses the peek.
        List<Receipt.Item> items = receipt.spend();
        Reply reply = adjust(new Adjustment(policies).refund(items).peek(then));
        boolean any = anyGiven(reply, items);
        return new Ask.GiveBack.Given(
                any, then.policy().rules().adjusting().read(reply).result(then, false));
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
                signals.happened(Signals.Incident.LEASES_EXPIRED);
            }
        }
        return given;
    }

    private Void reset(Check check) {
        return call(() -> {
            executor.delete(policies.of(check.policy()).key(check.key()));
            return null;
        });
    }

    private Usage count(Check check, Usage.Period period) {
        PeriodCount.requireKnown(check.policy(), period);
        return call(() -> {
            byte[] key = policies.of(check.policy()).key(check.key());
            Reply reply = Reply.of(executor.run(USAGE, List.of(key), List.of()));
            long now = reply.next();
            PeriodCount last = new PeriodCount(reply.next(), reply.next());
            return PeriodCount.usage(check.policy(), period, now, last, new PeriodCount(reply.next(), reply.next()));
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
