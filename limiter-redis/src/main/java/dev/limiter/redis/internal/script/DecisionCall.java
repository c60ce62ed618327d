package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
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
 */
public final class DecisionCall implements RedisCall {
    private static final byte[] GROUP = Packed.of("group");
    private static final byte[] PEEK = Packed.of("peek");

    /** The order of checks in a call: those of policies that reject, then the others. */
    private static final boolean[] DECIDING_FIRST = {true, false};

    /** The groups; null if there is only the first. */
    private final List<CheckGroup> all;

    private final CheckGroup first;

    /** The policy of the only check; null if there are several, or if it is peeked. */
    private final PreparedPolicies.Prepared only;

    /** Key and packed arguments of the only check, which needs no lists. */
    private byte[] key;

    private byte[] argument;

    /** The keys of several partitions, one after the other. */
    private List<byte[]> keys;

    /** The arguments of their groups, one after the other, with their heads. */
    private List<byte[]> arguments;

    private int algorithms;
    private int bytes;

    /**
     * Asks for a group of one check, as nearly all groups are. A policy that does not reject is
     * charged exactly if it fits, as if it decided.
     */
    private DecisionCall(PreparedPolicies policies, CheckGroup group, Check check) {
        all = null;
        first = group;
        only = policies.of(check.policy());
        key = only.key(check.key());
        argument = only.arguments(check);
        algorithms = only.rules().kind().bit();
        bytes = key.length + only.rules().scriptName().length + argument.length;
    }

    /** Begins to ask for groups. */
    private DecisionCall(List<CheckGroup> groups) {
        all = groups;
        first = groups.get(0);
        only = null;
        keys = new ArrayList<>();
        arguments = new ArrayList<>();
    }

    /** Asks for a group. */
    public static DecisionCall decide(PreparedPolicies policies, CheckGroup group) {
        return group.checks().size() == 1
                ? new DecisionCall(policies, group, group.checks().get(0))
                : decideEach(policies, List.of(group));
    }

    /**
     * Asks for groups one after the other.
     *
     * @param groups from 1 to {@value dev.limiter.RateLimiter#MAX_GROUPS}
     */
    public static DecisionCall decideEach(PreparedPolicies policies, List<CheckGroup> groups) {
        if (groups.size() == 1 && groups.get(0).checks().size() == 1) {
            return decide(policies, groups.get(0));
        }
        DecisionCall call = new DecisionCall(groups);
        groups.forEach(group -> call.decide(group, policies));
        return call;
    }

    /** Asks for the results that a group would get. */
    public static DecisionCall peek(PreparedPolicies policies, CheckGroup group) {
        DecisionCall call = new DecisionCall(List.of(group));
        call.argue(PEEK);
        call.argue(Packed.of(group.checks().size()));
        call.append(group, policies);
        return call;
    }

    private void decide(CheckGroup group, PreparedPolicies policies) {
        int size = group.checks().size();
        if (size > 1) {
            int deciding = (int) group.checks().stream()
                    .filter(check -> check.policy().rejects())
                    .count();
            argue(GROUP);
            argue(Packed.of(deciding));
            argue(Packed.of(size - deciding));
        }
        append(group, policies);
    }

    private void append(CheckGroup group, PreparedPolicies policies) {
        for (boolean deciding : DECIDING_FIRST) {
            for (Check check : group.checks()) {
                if (check.policy().rejects() == deciding) {
                    PreparedPolicies.Prepared policy = policies.of(check.policy());
                    keys.add(policy.key(check.key()));
                    bytes += keys.get(keys.size() - 1).length;
                    argue(policy.rules().scriptName());
                    argue(policy.arguments(check));
                    algorithms |= policy.rules().kind().bit();
                }
            }
        }
    }

    private void argue(byte[] next) {
        arguments.add(next);
        bytes += next.length;
    }

    /** The {@linkplain StateKind#bit bits} of the algorithms that decide it. */
    public int algorithms() {
        return algorithms;
    }

    /** The key of the first partition. */
    public byte[] key() {
        return only == null ? keys.get(0) : key;
    }

    /** The keys of the partitions, one after the other. */
    public List<byte[]> keys() {
        return only == null ? keys : List.of(key);
    }

    /** The arguments of the groups, one after the other, with their heads. */
    public List<byte[]> arguments() {
        return only == null ? arguments : List.of(only.rules().scriptName(), argument);
    }

    @Override
    public ScriptCommand command(ScriptCommand spare, boolean withText) {
        Program program = Program.decisions(algorithms);
        return only == null
                ? spare.of(program, withText, keys.size()).addAll(keys).addAll(arguments)
                : spare.of(program, withText, 1)
                        .add(key)
                        .add(only.rules().scriptName())
                        .add(argument);
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
        return bytes;
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
}
