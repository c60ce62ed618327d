package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.internal.algorithm.StateKind;
import dev.limiter.internal.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The decision that one caller asks for: one group or several, encoded as keys and arguments of
 * {@code lua/driver.lua}, and decoded from the reply. The caller's own thread does both. In
 * between, the decision may be merged with others.
 *
 * @param all the groups; null if there is only the first
 * @param first of the groups
 * @param keys of their partitions, one after the other
 * @param arguments of the groups, one after the other, with their heads
 * @param algorithms the {@linkplain StateKind#bit bits} of the algorithms that decide it
 * @param only the policy of the only check; null if there are several, or if it is peeked
 */
public record DecisionCall(
        List<CheckGroup> all,
        CheckGroup first,
        byte[][] keys,
        byte[][] arguments,
        int algorithms,
        PreparedPolicies.Prepared only)
        implements RedisCall {
    private static final byte[] GROUP = Packed.of("group");
    private static final byte[] PEEK = Packed.of("peek");

    /** The order of checks in a call: those of policies that reject, then the others. */
    private static final boolean[] DECIDING_FIRST = {true, false};

    /** Asks for a group. */
    public static DecisionCall decide(PreparedPolicies policies, CheckGroup group) {
        return group.checks().size() == 1
                ? decide(policies, group, group.checks().get(0))
                : new Builder(policies).decide(group).build(List.of(group));
    }

    /**
     * Asks for a group of one check, as nearly all groups are. A policy that does not reject is
     * charged exactly if it fits, as if it decided.
     */
    private static DecisionCall decide(PreparedPolicies policies, CheckGroup group, Check check) {
        PreparedPolicies.Prepared policy = policies.of(check.policy());
        AlgorithmRules rules = policy.rules();
        return new DecisionCall(
                null,
                group,
                new byte[][] {policy.key(check.key())},
                new byte[][] {rules.scriptName(), policy.arguments(check)},
                rules.kind().bit(),
                policy);
    }

    /**
     * Asks for groups one after the other.
     *
     * @param groups from 1 to {@value dev.limiter.RateLimiter#MAX_GROUPS}
     */
    public static DecisionCall decideEach(PreparedPolicies policies, List<CheckGroup> groups) {
        if (groups.size() == 1) {
            return decide(policies, groups.get(0));
        }
        Builder builder = new Builder(policies);
        groups.forEach(builder::decide);
        return builder.build(groups);
    }

    /** Asks for the results that a group would get. */
    public static DecisionCall peek(PreparedPolicies policies, CheckGroup group) {
        return new Builder(policies).peek(group).build(List.of(group));
    }

    @Override
    public boolean isLarge() {
        return false;
    }

    @Override
    public ScriptCommand command(ScriptCommand spare, boolean withText) {
        return spare.of(Program.decisions(algorithms), withText, keys.length)
                .addAll(keys)
                .addAll(arguments);
    }

    @Override
    public Object answer(Object reply) {
        return Reply.of((byte[]) reply);
    }

    /**
     * The bytes of the keys count for the reply, too: it has as many parts, and they are as
     * short.
     */
    @Override
    public int bytes() {
        return RedisCall.length(keys) + RedisCall.length(arguments);
    }

    /** The number of groups, each of which has a part of the reply. */
    public int groups() {
        return all == null ? 1 : all.size();
    }

    /** How many equal decisions, this one included, one call of the algorithm may make. */
    public int mostAtOnce() {
        return only == null ? 1 : only.rules().maxMerged(check());
    }

    /** Whether two decisions that can be merged ask for the same. */
    public boolean asksSameAs(DecisionCall other) {
        Check mine = check();
        Check its = other.check();
        return (only == other.only || mine.policy().equals(its.policy()))
                && mine.cost() == its.cost()
                && mine.maxWaitMicros() == its.maxWaitMicros()
                && mine.key().equals(its.key());
    }

    /** A hash that is equal for decisions that ask for the same. */
    public long stableHash() {
        return check().key().stableHash();
    }

    private Check check() {
        return first.checks().get(0);
    }

    /**
     * The decision on the only group.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused
     */
    public Decision decision(Reply reply) {
        long at = reply.atMicros();
        return only == null
                ? StateSnapshot.decide(first, snapshots(first, reply), at)
                : StateSnapshot.decide(first, snapshot(reply), at);
    }

    /**
     * The state that the only check read. A shared reply has the state that the first of equal
     * checks read; those of the others are computed from it.
     */
    private StateSnapshot snapshot(Reply reply) {
        StateSnapshot read = only.rules().read(reply);
        if (!reply.isShared()) {
            return read;
        }
        long admitted = reply.next();
        if (reply.place() < admitted) {
            return read.after(check(), reply.place());
        }
        return admitted == 0 ? read : only.rules().read(reply);
    }

    /**
     * The decisions on all groups; empty for a group that Redis refused because of
     * {@linkplain Reply#refusal(int) periods of the calendar}.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused one of them for
     *     another reason; others may have been charged
     */
    public List<Optional<Decision>> decisions(Reply reply) {
        if (groups() == 1) {
            return List.of(Optional.of(decision(reply)));
        }
        long at = reply.atMicros();
        List<Optional<Decision>> made = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            CheckGroup group = all.get(i);
            made.add(
                    reply.refusal(i) == null
                            ? Optional.of(StateSnapshot.decide(group, snapshots(group, reply), at))
                            : Optional.empty());
        }
        return made;
    }

    /**
     * The answers to a peek.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused
     */
    public List<CheckResult> results(Reply reply) {
        reply.atMicros();
        return StateSnapshot.peeked(first, snapshots(first, reply));
    }

    /**
     * The snapshots of the next group in the reply, in the order of its checks: the script puts
     * those that decide first.
     */
    private List<StateSnapshot> snapshots(CheckGroup group, Reply reply) {
        List<Check> checks = group.checks();
        StateSnapshot[] snapshots = new StateSnapshot[checks.size()];
        for (boolean deciding : DECIDING_FIRST) {
            for (int i = 0; i < snapshots.length; i++) {
                Policy policy = checks.get(i).policy();
                if (policy.rejects() == deciding) {
                    snapshots[i] = policy.rules().read(reply);
                }
            }
        }
        return Arrays.asList(snapshots);
    }

    /** Collects what is asked. */
    private static final class Builder {
        private final PreparedPolicies policies;
        private final List<byte[]> keys = new ArrayList<>();
        private final List<byte[]> arguments = new ArrayList<>();
        private int algorithms;

        Builder(PreparedPolicies policies) {
            this.policies = policies;
        }

        Builder decide(CheckGroup group) {
            int all = group.checks().size();
            if (all > 1) {
                int deciding = deciding(group);
                arguments.add(GROUP);
                arguments.add(Packed.of(deciding));
                arguments.add(Packed.of(all - deciding));
            }
            return append(group);
        }

        Builder peek(CheckGroup group) {
            arguments.add(PEEK);
            arguments.add(Packed.of(group.checks().size()));
            return append(group);
        }

        private static int deciding(CheckGroup group) {
            int deciding = 0;
            for (Check check : group.checks()) {
                deciding += check.policy().rejects() ? 1 : 0;
            }
            return deciding;
        }

        private Builder append(CheckGroup group) {
            for (boolean deciding : DECIDING_FIRST) {
                for (Check check : group.checks()) {
                    if (check.policy().rejects() == deciding) {
                        append(check);
                    }
                }
            }
            return this;
        }

        private void append(Check check) {
            PreparedPolicies.Prepared policy = policies.of(check.policy());
            PartitionKey key = check.key();
            keys.add(policy.key(key));
            arguments.add(policy.rules().scriptName());
            arguments.add(policy.arguments(check));
            algorithms |= policy.rules().kind().bit();
        }

        DecisionCall build(List<CheckGroup> groups) {
            return new DecisionCall(
                    groups,
                    groups.get(0),
                    keys.toArray(byte[][]::new),
                    arguments.toArray(byte[][]::new),
                    algorithms,
                    null);
        }
    }
}
