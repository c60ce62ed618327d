package dev.limiter.redis.internal.combine;

import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ScriptCommand;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One command of a round trip, and the pending calls that its reply concerns: a call by itself, or the decisions of many callers
 * that one script call can make.
 */
final class Batch {
    private final PendingCall first;

    /** All of them; null as long as the first is by itself. */
    private List<PendingCall> all;

    private int groups;
    private MergedDecisions merged;

    private Batch(PendingCall first) {
        this.first = first;
        DecisionCall decision = first.errand().question();
        this.groups = decision == null ? 1 : decision.groups();
    }

    /** As few as possible: what can be decided together is, as many groups as may be in one call. */
    static List<Batch> of(List<PendingCall> calls) {
        if (calls.size() == 1) {
            return List.of(new Batch(calls.get(0)));
        }
        List<Batch> batches = new ArrayList<>(calls.size());
        for (PendingCall call : calls) {
            if (!isTaken(call, batches)) {
                batches.add(new Batch(call));
            }
        }
        return batches;
    }

    private static boolean isTaken(PendingCall call, List<Batch> batches) {
        for (Batch batch : batches) {
            if (batch.takes(call)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes along a decision that lies in the same slot, if there is room. A decision that was sent away before goes by itself: its key
     * may be elsewhere than those of others, and then Redis would send them all away.
     */
    private boolean takes(PendingCall call) {
        DecisionCall decision = call.errand().question();
        boolean fits = decision != null
                && first.errand().question() != null
                && !target().alone()
                && target().equals(call.target())
                && groups + decision.groups() <= RateLimiter.MAX_GROUPS;
        if (fits) {
            if (all == null) {
                all = new ArrayList<>();
                all.add(first);
            }
            all.add(call);
            groups += decision.groups();
        }
        return fits;
    }

    /** Where it goes, for all whom it concerns. */
    Destination target() {
        return first.target();
    }

    /**
     * What is sent.
     *
     * @param spare may be used for it, and by another batch when this has been sent
     */
    CommandArguments command(ScriptCommand spare) {
        if (groups == 1) {
            return first.errand().command(spare, first.bringsText());
        }
        List<DecisionCall> decisions = new ArrayList<>();
        boolean bringsText = false;
        for (PendingCall call : calls()) {
            decisions.add(call.errand().question());
            bringsText |= call.bringsText();
        }
        merged = new MergedDecisions(decisions);
        ScriptCommand command =
                spare.of(merged.script(), bringsText, merged.keys().size());
        for (byte[] key : merged.keys()) {
            command.add(key);
        }
        for (byte[] argument : merged.arguments()) {
            command.add(argument);
        }
        return command;
    }

    private List<PendingCall> calls() {
        return all == null ? List.of(first) : all;
    }

    /**
     * Gives each pending call its outcome from the reply.
     *
     * @return what Redis refused to one of them; null if nothing
     * @throws RuntimeException if it is no reply to this
     */
    JedisDataException deliver(Object reply) {
        if (merged == null) {
            first.answer(first.errand().answer(reply));
            return null;
        }
        List<Reply> replies = merged.replies(reply);
        JedisDataException refused = null;
        for (int i = 0; i < replies.size(); i++) {
            JedisDataException refusal = replies.get(i).refusal();
            if (refusal == null) {
                calls().get(i).answer(replies.get(i));
            } else {
                calls().get(i).fail(refusal);
                refused = worse(refused, refusal);
            }
        }
        return refused;
    }

    /** Of the two the one that tells something of the connection, if there is one. */
    private static JedisDataException worse(JedisDataException one, JedisDataException other) {
        return one != null && RedisErrors.isOfConnection(RedisErrors.of(one)) ? one : other;
    }

    /** Fails each pending call that has no outcome yet. */
    void fail(JedisException why) {
        calls().forEach(call -> call.fail(why));
    }
}
