package dev.limiter.redis.internal.script;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.exceptions.JedisDataException;

/** What the scripts say to one question, packed, read from the front; or why Redis refused it. For one thread. */
public final class Reply {
    private final byte[] packed;
    private final int place;
    private final JedisDataException refusal;
    private int at;

    private Reply(byte[] packed, int place, JedisDataException refusal) {
        this.packed = packed;
        this.place = place;
        this.refusal = refusal;
    }

    /**
     * A whole reply, or one of a joint call's.
     *
     * @throws ClassCastException if it is neither packed nor a refusal
     */
    public static Reply of(Object reply) {
        return of(reply, -1);
    }

    /**
     * A reply to equal questions, seen by one of them.
     *
     * @param place how many of them come before
     */
    public static Reply of(Object reply, int place) {
        return reply instanceof JedisDataException refusal
                ? new Reply(null, place, refusal)
                : new Reply((byte[]) reply, place, null);
    }

    /** The replies to the groups of one question, one after the other; a refusal if one of them is. */
    public static Reply joined(List<?> replies) {
        int length = 0;
        for (Object reply : replies) {
            if (reply instanceof JedisDataException) {
                return of(reply);
            }
            length += ((byte[]) reply).length;
        }
        byte[] all = new byte[length];
        int end = 0;
        for (Object reply : replies) {
            byte[] packed = (byte[]) reply;
            System.arraycopy(packed, 0, all, end, packed.length);
            end += packed.length;
        }
        return of(all);
    }

    /** Why there is no answer; null if there is one. */
    public JedisDataException refusal() {
        return refusal;
    }

    /** Whether it answers several equal questions at once. */
    public boolean isShared() {
        return place >= 0;
    }

    /** How many of the equal questions come before this one. */
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

    /** A reading's first word, whether it fits, behind the instant that begins each. */
    public boolean nextFits() {
        at += 8;
        return nextFlag();
    }

    public long next() {
        long number = number(at);
        at += 8;
        return number;
    }

    public boolean nextFlag() {
        return packed[at++] == 1;
    }

    /** Text behind a byte of its length. */
    public String nextName() {
        int length = packed[at++];
        at += length;
        return new String(packed, at - length, length, StandardCharsets.US_ASCII);
    }

    /** A reading's first word, behind the instant that begins each, where it is one of several. */
    public int nextChoice() {
        at += 8;
        return packed[at++];
    }

    /** How much text there is to the end, in bytes. */
    public int bytesLeft() {
        return packed.length - at;
    }

    /** Text to the end. */
    public String rest() {
        return new String(packed, at, packed.length - at, StandardCharsets.UTF_8);
    }

    private long number(int from) {
        long bits = 0;
        for (int i = from; i < from + 8; i++) {
            bits = bits << 8 | packed[i] & 0xff;
        }
        return (long) Double.longBitsToDouble(bits);
    }
}
