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
 * One command of a round trip, and the pending calls that its reply concerns: a call by itself,
 * or the decisions of many callers that one script call can make.
 */
final class Batch {
    private final List<PendingCall> calls = new ArrayList<>(1);
    private int groups;
    private MergedDecisions merged;

    /** Begins with a first call. */
    Batch of(PendingCall call) {
        calls.add(call);
        groups = call.call() instanceof DecisionCall decision ? decision.groups() : 1;
        return this;
    }

    /** Forgets its calls, so that it may begin anew. */
    void clear() {
        calls.clear();
        merged = null;
    }

    /**
     * Adds a decision of the same slot, if there is room. A decision that was redirected before
     * is sent alone: its key may be on another server than the keys of others, and then Redis
     * would redirect them all.
     *
     * @return whether it was added
     */
    boolean takes(PendingCall pending) {
        boolean fits = pending.call() instanceof DecisionCall decision
                && first().call() instanceof DecisionCall
                && !destination().unbatched()
                && destination().equals(pending.destination())
                && groups + decision.groups() <= RateLimiter.MAX_GROUPS;
        if (fits) {
            calls.add(pending);
            groups += ((DecisionCall) pending.call()).groups();
        }
        return fits;
    }

    PendingCall first() {
        return calls.get(0);
    }

    /** The destination of all calls of this batch. */
    Destination destination() {
        return first().destination();
    }

    /**
     * The command to send.
     *
     * @param spare may be used for the command, and for another batch after this one was sent
     */
    CommandArguments command(ScriptCommand spare) {
        if (groups == 1) {
            return first().call().command(spare, destination().withText());
        }
        List<DecisionCall> decisions = new ArrayList<>();
        for (PendingCall pending : calls) {
            decisions.add((DecisionCall) pending.call());
        }
        merged = new MergedDecisions(decisions);
        return spare.of(merged.script(), destination().withText(), merged.keys().size())
                .addAll(merged.keys())
                .addAll(merged.arguments());
    }

    /**
     * Gives each pending call its outcome from the reply.
     *
     * @return a refusal of one of the calls; null if there is none
     * @throws RuntimeException if it is no reply to this batch
     */
    JedisDataException deliver(Object reply) {
        if (merged == null) {
            first().answer(first().call().answer(reply));
            return null;
        }
        List<Reply> replies = merged.replies(reply);
        JedisDataException refused = null;
        for (int i = 0; i < replies.size(); i++) {
            JedisDataException refusal = replies.get(i).refusal();
            if (refusal == null) {
                calls.get(i).answer(replies.get(i));
            } else {
                calls.get(i).fail(refusal);
                refused = worse(refused, refusal);
            }
        }
        return refused;
    }

    /** The refusal that concerns the connection, if one of the two does. */
    private static JedisDataException worse(JedisDataException one, JedisDataException other) {
        return one != null && RedisErrors.isOfConnection(RedisErrors.of(one)) ? one : other;
    }

    /** Fails each pending call that has no outcome yet. */
    void fail(JedisException why) {
        calls.forEach(pending -> pending.fail(why));
    }
}
