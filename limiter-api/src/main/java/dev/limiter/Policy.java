package dev.limiter;

import java.math.BigInteger;
import java.time.Duration;

/**
 * One limit: a name, an {@link Algorithm} and its numbers. With a {@link PartitionKey} it names one bucket.
 *
 * <p>{@code Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10)}: one request every 2 s on average, up to 10
 * back to back.
 *
 * @param name printable ASCII without quote or backslash, 1 to 100 characters; it identifies the bucket, so two policies
 *     of one application that share a name share their state
 * @param algorithm what is promised
 * @param limit units per window; {@code 1 <= limit < 2^31}, and at most 1,000,000 for {@code SLIDING_LOG}
 * @param window whole microseconds from 1 µs to 366 days
 * @param burst units that may pass back to back; {@code 1 <= burst < 2^31} for buckets ({@code 0} is read as {@code limit}),
 *     0 for all others
 */
public record Policy(String name, Algorithm algorithm, long limit, Duration window, long burst) {

    /** The longest name of a policy, in characters. */
    public static final int MAX_NAME_LENGTH = 100;

    /** The largest limit of a {@code SLIDING_LOG}, whose memory grows with it. */
    public static final long MAX_LOG_LIMIT = 1_000_000;

    /** The most units that one request may cost on a {@code SLIDING_LOG}, which records each of them. */
    public static final long MAX_LOG_COST = 1_000;

    private static final long MAX_COUNT = (1L << 31) - 1;
    private static final Duration MIN_WINDOW = Duration.ofNanos(1_000);
    private static final Duration MAX_WINDOW = Duration.ofDays(366);

    /** Scripts compute in doubles: with today's 2^51 µs since 1970 on top, this keeps every instant below 2^53. */
    private static final BigInteger MAX_DEBT_MICROS = BigInteger.ONE.shiftLeft(51);

    /**
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy {
        requireName(name);
        if (algorithm == null) {
            throw new InvalidPolicyException("algorithm", "algorithm is missing");
        }
        if (limit < 1) {
            throw new InvalidPolicyException("limit", "limit must be at least 1, was " + limit);
        }
        if (limit > MAX_COUNT) {
            throw new InvalidPolicyException("limit", "limit must be below 2^31, was " + limit);
        }
        if (algorithm == Algorithm.SLIDING_LOG && limit > MAX_LOG_LIMIT) {
            throw new InvalidPolicyException(
                    "limit", "limit of a SLIDING_LOG must be at most " + MAX_LOG_LIMIT + ", was " + limit);
        }
        requireWindow(window);
        burst = normalBurst(algorithm, limit, burst);
        requireExact(algorithm, limit, window, burst);
    }

    /** A policy with the default burst. */
    public static Policy of(String name, Algorithm algorithm, long limit, Duration window) {
        return new Policy(name, algorithm, limit, window, 0);
    }

    /** This policy with another burst; only for {@link Algorithm#hasBurst() buckets}. */
    public Policy withBurst(long units) {
        return new Policy(name, algorithm, limit, window, units);
    }

    /** {@link #window} in microseconds, the unit of all computing. */
    public long windowMicros() {
        return micros(window);
    }

    /** What can be spent back to back from rest: {@code limit} for windows and logs, {@code burst} for buckets, 1 for a gate. */
    public long capacity() {
        return switch (algorithm) {
            case FIXED_WINDOW, SLIDING_LOG -> limit;
            case TOKEN_BUCKET, GCRA -> burst;
            case UNIFORM -> 1;
        };
    }

    /** The most units that one request may cost: {@link #capacity}, and at most {@value #MAX_LOG_COST} on a log. */
    public long maxCost() {
        return algorithm == Algorithm.SLIDING_LOG ? Math.min(limit, MAX_LOG_COST) : capacity();
    }

    /** The most units that any half-open interval of one window's length can admit, wherever it begins. */
    public long mostInAnyWindow() {
        return switch (algorithm) {
            case FIXED_WINDOW -> 2 * limit;
            case SLIDING_LOG, UNIFORM -> limit;
            case TOKEN_BUCKET, GCRA -> burst + limit - 1;
        };
    }

    private static void requireName(String name) {
        if (name == null || name.isEmpty()) {
            throw new InvalidPolicyException("name", "name is missing");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            throw new InvalidPolicyException(
                    "name", "name must have at most " + MAX_NAME_LENGTH + " characters, has " + name.length());
        }
        if (name.isBlank() || !name.equals(name.strip())) {
            throw new InvalidPolicyException("name", "name must not begin or end with a blank, was \"" + name + "\"");
        }
        if (!name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\')) {
            throw new InvalidPolicyException(
                    "name", "name must be printable ASCII without quote or backslash, was \"" + name + "\"");
        }
    }

    private static void requireWindow(Duration window) {
        if (window == null) {
            throw new InvalidPolicyException("window", "window is missing");
        }
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new InvalidPolicyException("window", "window must be from 1 µs to 366 days, was " + window);
        }
        if (window.getNano() % 1_000 != 0) {
            throw new InvalidPolicyException("window", "window must be whole microseconds, was " + window);
        }
    }

    private static long normalBurst(Algorithm algorithm, long limit, long burst) {
        if (!algorithm.hasBurst()) {
            if (burst != 0) {
                throw new InvalidPolicyException("burst", algorithm + " has no burst; leave it out, was " + burst);
            }
            return 0;
        }
        if (burst < 0 || burst > MAX_COUNT) {
            throw new InvalidPolicyException("burst", "burst must be from 1 to 2^31 - 1, or 0 for limit, was " + burst);
        }
        return burst == 0 ? limit : burst;
    }

    /** The furthest that a bucket's instant can lie ahead, {@code (B + max(L, B)) · W / L}, must stay exact in a double. */
    private static void requireExact(Algorithm algorithm, long limit, Duration window, long burst) {
        BigInteger furthest =
                BigInteger.valueOf(micros(window)).multiply(BigInteger.valueOf(burst + Math.max(limit, burst)));
        if (algorithm.hasBurst() && furthest.compareTo(MAX_DEBT_MICROS.multiply(BigInteger.valueOf(limit))) > 0) {
            throw new InvalidPolicyException(
                    "burst",
                    "burst of " + burst + " at " + limit + " per " + DurationNotation.format(window)
                            + " takes decades to come back, too long to be counted exactly; lower burst or raise limit");
        }
    }

    private static long micros(Duration span) {
        return span.getSeconds() * 1_000_000 + span.getNano() / 1_000;
    }
}
