package dev.limiter.redis.internal.script;

import dev.limiter.internal.algorithm.PackedReader;
import java.util.Arrays;
import java.util.List;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The reply to one decision call, packed, read from the front; or why Redis refused it. For one
 * thread.
 */
public final class Reply extends PackedReader {
    private final int place;
    private final JedisDataException refusal;
    private final List<JedisDataException> refusals;

    private Reply(byte[] packed, int place, JedisDataException refusal, List<JedisDataException> refusals) {
        super(packed);
        this.place = place;
        this.refusal = refusal;
        this.refusals = refusals;
    }

    /**
     * A whole reply, or a part of the reply to a joint call.
     *
     * @throws ClassCastException if it is neither packed nor a refusal
     */
    public static Reply of(Object reply) {
        return of(reply, -1);
    }

    /**
     * The reply to equal decisions, for one of them.
     *
     * @param place how many of them come before
     */
    public static Reply of(Object reply, int place) {
        return reply instanceof JedisDataException refusal
                ? new Reply(null, place, refusal, List.of())
                : new Reply(packed(reply), place, null, List.of());
    }

    /**
     * The bytes of a reply, which begin with the instant of the call.
     *
     * @throws ClassCastException if it has another form, so that the connection is closed
     */
    static byte[] packed(Object reply) {
        if (reply instanceof byte[] packed && packed.length >= Double.BYTES) {
            return packed;
        }
        throw new ClassCastException("the reply has a form that no script gives");
    }

    /**
     * The replies to the groups of one decision call, one after the other; a refusal if all of
     * them are, or if one of them is not about periods of the calendar.
     */
    public static Reply joined(List<?> replies) {
        int length = 0;
        JedisDataException[] refusals = new JedisDataException[replies.size()];
        JedisDataException last = null;
        for (int i = 0; i < refusals.length; i++) {
            if (!(replies.get(i) instanceof JedisDataException refusal)) {
                length += packed(replies.get(i)).length;
            } else if (StoreClock.isAboutPeriods(refusal)) {
                refusals[i] = refusal;
                last = refusal;
            } else {
                return of(refusal);
            }
        }
        if (length == 0) {
            return of(last);
        }
        byte[] all = new byte[length];
        int end = 0;
        for (Object reply : replies) {
            if (reply instanceof byte[] packed) {
                System.arraycopy(packed, 0, all, end, packed.length);
                end += packed.length;
            }
        }
        return new Reply(all, -1, null, last == null ? List.of() : Arrays.asList(refusals));
    }

    /** Why the group at this place was not decided; null if it was. It has not run. */
    public JedisDataException refusal(int group) {
        return refusals.isEmpty() ? null : refusals.get(group);
    }

    /** The refusal; null if there is an answer. */
    public JedisDataException refusal() {
        return refusal;
    }

    /** Whether it answers several equal decisions at once. */
    public boolean isShared() {
        return place >= 0;
    }

    /** How many of the equal decisions come before this one. */
    public int place() {
        return place;
    }

    /**
     * The instant of the call on Redis' clock, which every reply begins with.
     *
     * @throws JedisDataException the refusal, if it is one
     */
    public long atMicros() {
        if (refusal != null) {
            throw refusal;
        }
        return number(0);
    }
}
