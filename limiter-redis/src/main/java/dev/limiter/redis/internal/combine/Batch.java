package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.ScriptCommand;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One command of a round trip, and the pending calls that its reply concerns. */
sealed interface Batch permits LoneBatch, DecisionBatch {

    /** Where it goes, for all whom it concerns. */
    Destination target();

    /** Takes along what can go with it; says whether it does. */
    boolean takes(PendingCall ticket);

    /**
     * What is sent.
     *
     * @param spare may be used for it, and by another batch when this has been sent
     */
    CommandArguments command(ScriptCommand spare);

    /**
     * Gives each pending call its outcome from the reply.
     *
     * @return what Redis refused to one of them; null if nothing
     * @throws RuntimeException if it is no reply to this
     */
    JedisDataException deliver(Object reply);

    /** Fails each pending call that has no outcome yet. */
    void fail(JedisException why);

    /** As few as possible: what can be decided together is, as many groups as may be in one call. */
    static List<Batch> of(List<PendingCall> tickets) {
        if (tickets.size() == 1) {
            return List.of(alone(tickets.get(0)));
        }
        List<Batch> parcels = new ArrayList<>(tickets.size());
        for (PendingCall ticket : tickets) {
            if (!isTaken(ticket, parcels)) {
                parcels.add(of(ticket));
            }
        }
        return parcels;
    }

    private static boolean isTaken(PendingCall ticket, List<Batch> parcels) {
        for (Batch parcel : parcels) {
            if (parcel.takes(ticket)) {
                return true;
            }
        }
        return false;
    }

    private static Batch of(PendingCall ticket) {
        return ticket.errand().question() == null ? new LoneBatch(ticket) : new DecisionBatch(ticket);
    }

    private static Batch alone(PendingCall ticket) {
        DecisionCall question = ticket.errand().question();
        return question == null || question.groups() == 1 ? new LoneBatch(ticket) : new DecisionBatch(ticket);
    }
}
