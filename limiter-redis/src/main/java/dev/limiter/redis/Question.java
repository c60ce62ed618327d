package dev.limiter.redis;

import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.spi.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What one caller asks: one group or several, as keys and arguments of {@code lua/driver.lua}, and the way back from the reply.
 * Both are work of the caller's own thread; on its way a question may {@linkplain JointCall share a call} with others.
 */
final class Question implements Errand {
    private static final byte[] GROUP = Argument.of("group");
    private static final byte[] PEEK = Argument.of("peek");

    private final PreparedPolicies policies;
    private final List<Group> groups;
    private final byte[][] keys;
    private final byte[][] arguments;
    private final int algorithms;
    private final PreparedPolicies.Prepared only;

    private Question(
            PreparedPolicies policies,
            List<Group> groups,
            byte[][] keys,
            byte[][] arguments,
            int algorithms,
            PreparedPolicies.Prepared only) {
        this.policies = policies;
        this.groups = groups;
        this.keys = keys;
        this.arguments = arguments;
        this.algorithms = algorithms;
        this.only = only;
    }

    /** Asks for a group. */
    static Question decide(PreparedPolicies policies, Group group) {
        return group.demands().size() == 1
                ? decide(policies, group, group.demands().get(0))
                : new Draft(policies).decide(group).question(List.of(group));
    }

    /** One policy, as nearly all are; if it is a shadow, it is charged exactly if it fits, as if it decided. */
    private static Question decide(PreparedPolicies policies, Group group, Demand demand) {
        PreparedPolicies.Prepared policy = policies.of(demand.policy());
        PolicyScript script = policy.script();
        return new Question(
                policies,
                List.of(group),
                new byte[][] {policy.key(demand.key())},
                new byte[][] {script.name(), script.arguments(demand)},
                script.file().bit(),
                policy);
    }

    /**
     * Asks for groups one after the other.
     *
     * @param groups from 1 to {@value dev.limiter.RateLimiter#MAX_GROUPS}
     */
    static Question decideEach(PreparedPolicies policies, List<Group> groups) {
        if (groups.size() == 1) {
            return decide(policies, groups.get(0));
        }
        Draft draft = new Draft(policies);
        groups.forEach(draft::decide);
        return draft.question(groups);
    }

    /** Asks what a group would be answered. */
    static Question peek(PreparedPolicies policies, Group group) {
        return new Draft(policies).peek(group).question(List.of(group));
    }

    @Override
    public Question question() {
        return this;
    }

    @Override
    public boolean bringsText() {
        return false;
    }

    @Override
    public ScriptCommand command(ScriptCommand spare) {
        return command(spare, false);
    }

    ScriptCommand command(ScriptCommand spare, boolean withText) {
        return spare.of(Script.decisions(algorithms), withText, keys.length)
                .addAll(keys)
                .addAll(arguments);
    }

    @Override
    public Object answer(Object reply) {
        return Reply.of((byte[]) reply);
    }

    /** The parts of the reply are as few as the keys, and as short. */
    @Override
    public int bytes() {
        return length(keys) + length(arguments);
    }

    private static int length(byte[][] parts) {
        int bytes = 0;
        for (byte[] part : parts) {
            bytes += part.length;
        }
        return bytes;
    }

    byte[][] keys() {
        return keys;
    }

    /** Of its groups one after the other, with their heads. */
    byte[][] arguments() {
        return arguments;
    }

    /** The {@linkplain AlgorithmFile#bit bits} of the algorithms that decide it. */
    int algorithms() {
        return algorithms;
    }

    /** How many groups it asks for, each of which has a part of the reply. */
    int groups() {
        return groups.size();
    }

    /** How many like this one, itself among them, one call of the algorithm may settle. */
    int mostAtOnce() {
        return only == null ? 1 : only.script().mostAtOnce(demand());
    }

    /** Of two that may be settled by one call of the algorithm, whether they ask for the same. */
    boolean asksSameAs(Question other) {
        Demand mine = demand();
        Demand its = other.demand();
        return (only == other.only || mine.policy().equals(its.policy()))
                && mine.cost() == its.cost()
                && mine.maxWaitMicros() == its.maxWaitMicros()
                && mine.key().equals(its.key());
    }

    /** Equal for those that ask for the same. */
    long spread() {
        return demand().key().spread();
    }

    private Demand demand() {
        return groups.get(0).demands().get(0);
    }

    /**
     * The decision on the only group.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused
     */
    Decision decision(Reply reply) {
        long at = reply.atMicros();
        Group group = groups.get(0);
        return Reading.decide(group, only == null ? readings(group, reply) : List.of(reading(reply)), at);
    }

    /** Of the only demand. Of equal questions the first reading is what the first one met, and from it follows what the others did. */
    private Reading reading(Reply reply) {
        Reading first = only.script().reading(reply);
        if (!reply.isShared()) {
            return first;
        }
        long admitted = reply.next();
        if (reply.place() < admitted) {
            return first.after(demand(), reply.place());
        }
        return admitted == 0 ? first : only.script().reading(reply);
    }

    /**
     * The decisions on all groups.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused one of them; others may have been charged
     */
    List<Decision> decisions(Reply reply) {
        if (groups.size() == 1) {
            return List.of(decision(reply));
        }
        long at = reply.atMicros();
        List<Decision> made = new ArrayList<>(groups.size());
        for (Group group : groups) {
            made.add(Reading.decide(group, readings(group, reply), at));
        }
        return made;
    }

    /**
     * The answers to a peek.
     *
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused
     */
    List<Answer> answers(Reply reply) {
        reply.atMicros();
        return Reading.peeked(groups.get(0), readings(groups.get(0), reply));
    }

    /** The readings of the next group in the reply, in the order of its demands: the script has those that decide first. */
    private List<Reading> readings(Group group, Reply reply) {
        List<Demand> demands = group.demands();
        Reading[] readings = new Reading[demands.size()];
        for (int i = 0; i < readings.length; i++) {
            if (!demands.get(i).policy().shadow()) {
                readings[i] = policies.of(demands.get(i).policy()).script().reading(reply);
            }
        }
        for (int i = 0; i < readings.length; i++) {
            if (readings[i] == null) {
                readings[i] = policies.of(demands.get(i).policy()).script().reading(reply);
            }
        }
        return Arrays.asList(readings);
    }

    /** Collects what is asked. */
    private static final class Draft {
        private final PreparedPolicies policies;
        private final List<byte[]> keys = new ArrayList<>();
        private final List<byte[]> arguments = new ArrayList<>();
        private int algorithms;

        Draft(PreparedPolicies policies) {
            this.policies = policies;
        }

        Draft decide(Group group) {
            int all = group.demands().size();
            if (all > 1) {
                int shadows = shadows(group);
                arguments.add(GROUP);
                arguments.add(Argument.of(all - shadows));
                arguments.add(Argument.of(shadows));
            }
            return append(group);
        }

        Draft peek(Group group) {
            arguments.add(PEEK);
            arguments.add(Argument.of(group.demands().size()));
            return append(group);
        }

        private static int shadows(Group group) {
            int shadows = 0;
            for (Demand demand : group.demands()) {
                shadows += demand.policy().shadow() ? 1 : 0;
            }
            return shadows;
        }

        private Draft append(Group group) {
            for (Demand demand : group.demands()) {
                if (!demand.policy().shadow()) {
                    append(demand);
                }
            }
            for (Demand demand : group.demands()) {
                if (demand.policy().shadow()) {
                    append(demand);
                }
            }
            return this;
        }

        private void append(Demand demand) {
            PreparedPolicies.Prepared policy = policies.of(demand.policy());
            PartitionKey key = demand.key();
            keys.add(policy.key(key));
            arguments.add(policy.script().name());
            arguments.add(policy.script().arguments(demand));
            algorithms |= policy.script().file().bit();
        }

        Question question(List<Group> groups) {
            return new Question(
                    policies, groups, keys.toArray(byte[][]::new), arguments.toArray(byte[][]::new), algorithms, null);
        }
    }
}
