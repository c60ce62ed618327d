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
}
