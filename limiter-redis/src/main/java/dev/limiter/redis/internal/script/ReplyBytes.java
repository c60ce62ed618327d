package dev.limiter.redis.internal.script;

/**
 * The length of a reply, in bytes. The expected length decides how many calls share a round
 * trip. The longest possible decides whether the call is large.
 *
 * @param expected from 0 to most
 * @param most at least 0
 */
public record ReplyBytes(int expected, int most) {
    /** A reply too short to count. */
    public static final ReplyBytes FEW = new ReplyBytes(0, 0);

    /**
     * From here on a call is large, in bytes: 64 calls of this length take 1 MiB, the most of a
     * round trip.
     */
    private static final int LARGE_BYTES = 1 << 14;

    /** This number of bytes of a reply counts as one byte that is sent. */
    private static final int REPLIES = 4;

    /**
     * The bytes of a round trip that a call takes, from the bytes that it sends without the text
     * of its script.
     */
    int beside(int sentBytes) {
        return sentBytes + expected / REPLIES;
    }

    /** Whether such a call is large. */
    boolean makesLarge(int sentBytes) {
        return sentBytes + most / REPLIES >= LARGE_BYTES;
    }
}
