package dev.limiter.redis.internal.script;

/**
 * How long a reply is, in bytes. What it is expected to be decides how many calls share a round trip; what it may be decides
 * which calls these are.
 *
 * @param expected from 0 to most
 * @param most at least 0
 */
public record ReplyBytes(int expected, int most) {
    /** Too few to count. */
    public static final ReplyBytes FEW = new ReplyBytes(0, 0);

    /** From here on a call is large, in bytes: 64 calls of this length take 1 MiB, the most of a round trip. */
    private static final int LARGE_BYTES = 1 << 14;

    /** So many bytes of a reply count as one byte that is sent. */
    private static final int REPLIES = 4;

    /** How much of a round trip the call takes that sends so many bytes without the text of its script. */
    int beside(int sentBytes) {
        return sentBytes + expected / REPLIES;
    }

    /** Whether that call waits for other large calls only. */
    boolean makesLarge(int sentBytes) {
        return sentBytes + most / REPLIES >= LARGE_BYTES;
    }
}
