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

/** One call of the script for the questions of many callers that one call can reach. */
final class DecisionBatch implements Batch {
    private final List<PendingCall> tickets = new ArrayList<>();
    private final List<DecisionCall> questions = new ArrayList<>();
    private final Destination target;
    private int groups;
    private boolean bringsText;
    private MergedDecisions call;

    DecisionBatch(PendingCall first) {
        this.target = first.target();
        add(first);
    }

    /**
     * A question that lies in the same slot, if there is room. One that was sent away before goes by itself: its key may be elsewhere
     * than those of others, and then Redis would send them all away.
     */
    @Override
    public boolean takes(PendingCall ticket) {
        DecisionCall question = ticket.errand().question();
        boolean fits = question != null
                && !target.alone()
                && target.equals(ticket.target())
                && groups + question.groups() <= RateLimiter.MAX_GROUPS;
        if (fits) {
            add(ticket);
        }
        return fits;
    }

    private void add(PendingCall ticket) {
        tickets.add(ticket);
        questions.add(ticket.errand().question());
        groups += ticket.errand().question().groups();
        bringsText |= ticket.errand().bringsText();
    }

    @Override
    public Destination target() {
        return target;
    }

    @Override
    public CommandArguments command(ScriptCommand spare) {
        call = new MergedDecisions(questions);
        ScriptCommand command = spare.of(call.script(), bringsText, call.keys().size());
        for (byte[] key : call.keys()) {
            command.add(key);
        }
        for (byte[] argument : call.arguments()) {
            command.add(argument);
        }
        return command;
    }

    @Override
    public JedisDataException deliver(Object reply) {
        List<Reply> replies = call.replies(reply);
        JedisDataException refused = null;
        for (int i = 0; i < replies.size(); i++) {
            JedisDataException refusal = replies.get(i).refusal();
            if (refusal == null) {
                tickets.get(i).answer(replies.get(i));
            } else {
                tickets.get(i).fail(refusal);
                refused = worse(refused, refusal);
            }
        }
        return refused;
    }

    /** Of the two the one that says something of the connection, if there is one. */
    private static JedisDataException worse(JedisDataException one, JedisDataException other) {
        return one != null && RedisErrors.isOfConnection(RedisErrors.of(one)) ? one : other;
    }

    @Override
    public void fail(JedisException why) {
        for (PendingCall each : tickets) {
            each.fail(why);
        }
    }
}
