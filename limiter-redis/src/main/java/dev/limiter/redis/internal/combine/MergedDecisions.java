package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.spi.algorithm.Packed;
import dev.limiter.spi.algorithm.StateKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One call of the script for the questions of many callers, one after the other in their order, but equal questions together: those that
 * ask one policy for the same are settled by one call of its algorithm, in the place of the first, and each is told what it would
 * have been told if it had come after those before it.
 *
 * <p>All keys must lie where one call can reach them.
 */
public final class MergedDecisions {
    private static final byte[] JOINT = Packed.of("joint");
    private static final byte[] TIMES = Packed.of("times");

    private final List<DecisionCall> questions;
    private final int algorithms;
    private final List<byte[]> keys;
    private final List<byte[]> arguments;

    /** Of each question which it is of those that ask the same; the group in the call at which it is told; of the first, how many ask so. */
    private final int[] places;

    private final int[] told;
    private final int[] together;
    private final int groups;

    /**
     * @param questions at least one
     */
    public MergedDecisions(List<DecisionCall> questions) {
        this.questions = questions;
        this.places = new int[questions.size()];
        this.told = new int[questions.size()];
        this.together = new int[questions.size()];
        this.groups = settleTogether();
        int united = 0;
        for (DecisionCall question : questions) {
            united |= question.algorithms();
        }
        // What one question needs there are few of; every other mixture would be one more program to be loaded.
        boolean mixed = questions.size() > 1 && Integer.bitCount(united) > 1;
        this.algorithms = mixed ? StateKind.ALL : united;
        if (questions.size() == 1 && groups == 1) {
            this.keys = Arrays.asList(questions.get(0).keys());
            this.arguments = Arrays.asList(questions.get(0).arguments());
        } else {
            this.keys = new ArrayList<>(groups);
            this.arguments = new ArrayList<>(1 + 2 * groups);
            append();
        }
    }

    /** Finds those that ask the same; returns how many groups are left. */
    private int settleTogether() {
        int[] firsts = new int[questions.size() == 1 ? 0 : Integer.highestOneBit(questions.size()) * 4];
        int next = 0;
        for (int i = 0; i < places.length; i++) {
            DecisionCall question = questions.get(i);
            int first = firsts.length > 0 && question.mostAtOnce() > 1 ? first(i, firsts) : i;
            places[i] = together[first]++;
            told[i] = first == i ? next : told[first];
            next += first == i ? question.groups() : 0;
        }
        return next;
    }

    /** The first that asks the same as the i-th and has room for it, or the i-th itself, which then is the first. */
    private int first(int i, int[] firsts) {
        DecisionCall question = questions.get(i);
        int at = (int) question.spread() & firsts.length - 1;
        while (firsts[at] > 0) {
            int first = firsts[at] - 1;
            if (question.asksSameAs(questions.get(first))) {
                if (together[first] < question.mostAtOnce()) {
                    return first;
                }
                break; // it is full: the i-th takes its place
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
            if (together[i] > 1) {
                arguments.add(TIMES);
                arguments.add(Packed.of(together[i]));
            }
            DecisionCall question = questions.get(i);
            keys.addAll(Arrays.asList(question.keys()));
            arguments.addAll(Arrays.asList(question.arguments()));
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
     * What the reply says to each question, in their order.
     *
     * @throws ClassCastException if it is no reply of the script
     */
    public List<Reply> replies(Object reply) {
        List<?> each = groups == 1 ? List.of(reply) : (List<?>) reply;
        Reply[] replies = new Reply[places.length];
        for (int i = 0; i < replies.length; i++) {
            replies[i] = reply(i, each);
        }
        return Arrays.asList(replies);
    }

    private Reply reply(int i, List<?> each) {
        int many = questions.get(i).groups();
        if (many > 1) {
            return Reply.joined(each.subList(told[i], told[i] + many));
        }
        Object own = each.get(told[i]);
        boolean shared = places[i] > 0 || together[i] > 1;
        return shared ? Reply.of(own, places[i]) : Reply.of(own);
    }
}
