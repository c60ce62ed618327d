package dev.limiter.redis.internal.combine;

import dev.limiter.internal.algorithm.Packed;
import dev.limiter.internal.algorithm.StateKind;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One script call for the decisions of many callers. The script decides in their order. Equal
 * decisions, which ask one policy for the same, become one call of its algorithm in the place of
 * the first. Each caller gets the reply that it would have got after the callers before it.
 *
 * <p>All keys must lie where one call can reach them.
 */
public final class MergedDecisions {
    private static final byte[] JOINT = Packed.of("joint");
    private static final byte[] TIMES = Packed.of("times");

    private final List<DecisionCall> decisions;
    private final int algorithms;
    private final List<byte[]> keys;
    private final List<byte[]> arguments;

    /** For each decision: how many equal decisions come before it. */
    private final int[] places;

    /** For each decision: the index of its first part in the reply. */
    private final int[] parts;

    /** For each first of equal decisions: how many are equal. */
    private final int[] equal;

    private final int groups;

    /**
     * @param decisions at least one
     */
    public MergedDecisions(List<DecisionCall> decisions) {
        this.decisions = decisions;
        this.places = new int[decisions.size()];
        this.parts = new int[decisions.size()];
        this.equal = new int[decisions.size()];
        this.groups = mergeEqual();
        int united = 0;
        for (DecisionCall decision : decisions) {
            united |= decision.algorithms();
        }
        // A single decision needs one of a few programs. All merged decisions of several
        // algorithms share one program; otherwise Redis would load one for each mixture.
        boolean mixed = decisions.size() > 1 && Integer.bitCount(united) > 1;
        this.algorithms = mixed ? StateKind.ALL : united;
        this.keys = new ArrayList<>(groups);
        this.arguments = new ArrayList<>(1 + 2 * groups);
        append();
    }

    /** Finds equal decisions, and returns the number of groups of the call. */
    private int mergeEqual() {
        int[] firsts = new int[Integer.highestOneBit(decisions.size()) * 4];
        int next = 0;
        for (int i = 0; i < places.length; i++) {
            DecisionCall decision = decisions.get(i);
            int first = decision.mostAtOnce() > 1 ? first(i, firsts) : i;
            places[i] = equal[first]++;
            parts[i] = first == i ? next : parts[first];
            next += first == i ? decision.groups() : 0;
        }
        return next;
    }

    /**
     * The first decision that is equal to the i-th and has room for it; the i-th itself if there
     * is none.
     */
    private int first(int i, int[] firsts) {
        DecisionCall decision = decisions.get(i);
        int at = (int) decision.stableHash() & firsts.length - 1;
        while (firsts[at] > 0) {
            int first = firsts[at] - 1;
            if (decision.asksSameAs(decisions.get(first))) {
                if (equal[first] < decision.mostAtOnce()) {
                    return first;
                }
                break; // it is full: the i-th begins a new one
            }
            at = at + 1 & firsts.length - 1;
        }
        firsts[at] = i + 1;
        return i;
    }

    private void append() {
        if (groups > 1) {
            arguments.add(JOINT);
        }
        for (int i = 0; i < places.length; i++) {
            if (places[i] > 0) {
                continue;
            }
            if (equal[i] > 1) {
                arguments.add(TIMES);
                arguments.add(Packed.of(equal[i]));
            }
            DecisionCall decision = decisions.get(i);
            keys.addAll(decision.keys());
            arguments.addAll(decision.arguments());
        }
    }

    public Program script() {
        return Program.decisions(algorithms);
    }

    public List<byte[]> keys() {
        return keys;
    }

    public List<byte[]> arguments() {
        return arguments;
    }

    /**
     * The reply to each decision, in their order.
     *
     * @throws ClassCastException if it is no reply of the script
     */
    public List<Reply> replies(Object reply) {
        List<?> each = groups == 1 ? List.of(reply) : (List<?>) reply;
        if (each.size() != groups) {
            throw new ClassCastException("the reply has " + each.size() + " parts for " + groups + " groups");
        }
        Reply[] replies = new Reply[places.length];
        for (int i = 0; i < replies.length; i++) {
            replies[i] = reply(i, each);
        }
        return Arrays.asList(replies);
    }

    private Reply reply(int i, List<?> each) {
        int many = decisions.get(i).groups();
        if (many > 1) {
            return Reply.joined(each.subList(parts[i], parts[i] + many));
        }
        Object own = each.get(parts[i]);
        boolean shared = places[i] > 0 || equal[i] > 1;
        return Reply.of(own, shared ? places[i] : -1);
    }
}
