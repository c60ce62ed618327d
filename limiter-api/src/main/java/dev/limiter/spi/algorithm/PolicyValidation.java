package dev.limiter.spi.algorithm;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.spi.DurationNotation;
import java.math.BigInteger;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules of a {@link Policy}. Each error names the member, the value, and the change that is
 * needed.
 */
public final class PolicyValidation {
    /** The largest count. */
    public static final long MAX_COUNT = (1L << 31) - 1;

    private static final Duration MIN_WINDOW = Duration.ofNanos(1_000);
    private static final Duration MAX_WINDOW = Duration.ofDays(366);

    /**
     * Scripts compute in doubles: with today's 2^51 µs since 1970 on top, this keeps every
     * instant below 2^53.
     */
    private static final BigInteger MAX_DEBT_MICROS = BigInteger.ONE.shiftLeft(51);

    private PolicyValidation() {}

    /**
     * Refuses a name that cannot stand in headers and settings.
     *
     * @param name of the policy
     * @throws InvalidPolicyException saying what is wrong
     */
    public static void requireName(String name) {
        if (name == null || name.isEmpty()) {
            throw new InvalidPolicyException("name", "name is missing");
        }
        if (name.length() > Policy.MAX_NAME_LENGTH) {
            throw new InvalidPolicyException(
                    "name", "name must have at most " + Policy.MAX_NAME_LENGTH + " characters, has " + name.length());
        }
        if (name.isBlank() || !name.equals(name.strip())) {
            throw new InvalidPolicyException(
                    "name", "name must not begin or end with a blank, was \"" + visible(name) + "\"");
        }
        if (!name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\')) {
            throw new InvalidPolicyException(
                    "name", "name must be printable ASCII without quote or backslash, was \"" + visible(name) + "\"");
        }
    }

    /**
     * Refuses a policy without an algorithm.
     *
     * @param algorithm what is promised
     * @throws InvalidPolicyException if it is null
     */
    public static void requireAlgorithm(Algorithm algorithm) {
        requirePresent("algorithm", algorithm);
    }

    /**
     * Refuses a limit that is out of range.
     *
     * @param algorithm what is promised
     * @param limit units per window
     * @throws InvalidPolicyException saying what is wrong
     */
    public static void requireLimit(Algorithm algorithm, long limit) {
        if (limit < 1) {
            throw new InvalidPolicyException("limit", "limit must be at least 1, was " + limit);
        }
        if (limit > MAX_COUNT) {
            throw new InvalidPolicyException("limit", "limit must be below 2^31, was " + limit);
        }
        if (algorithm == Algorithm.GATE && limit != 1) {
            throw new InvalidPolicyException("limit", "limit of a GATE, which counts nothing, must be 1, was " + limit);
        }
        if (limit > algorithm.maxLimit()) {
            throw new InvalidPolicyException(
                    "limit", "limit of a " + algorithm + " must be at most " + algorithm.maxLimit() + ", was " + limit);
        }
    }

    /**
     * Refuses a window that is out of range.
     *
     * @param window from 1 µs to 366 days, in whole microseconds
     * @throws InvalidPolicyException saying what is wrong
     */
    public static void requireWindow(Duration window) {
        if (window == null) {
            throw new InvalidPolicyException("window", "window is missing");
        }
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new InvalidPolicyException("window", "window must be from 1 µs to 366 days, was " + written(window));
        }
        if (window.getNano() % 1_000 != 0) {
            throw new InvalidPolicyException("window", "window must be whole microseconds, was " + window);
        }
    }

    private static void requirePresent(String member, Object value) {
        if (value == null) {
            throw new InvalidPolicyException(member, member + " is missing");
        }
    }

    /**
     * Refuses periods of the calendar where they have no meaning.
     *
     * @param algorithm what is promised
     * @param aligned as written
     * @throws InvalidPolicyException if the algorithm has none, or the windows are aligned
     */
    public static void requirePeriods(Algorithm algorithm, boolean aligned) {
        requireAccepted(algorithm, Member.PERIOD, "window", "a period of the calendar");
        if (aligned) {
            throw new InvalidPolicyException(
                    "aligned", "aligned has no meaning for a period of the calendar; leave it out");
        }
    }

    /**
     * {@return the burst in force: 0 is read as the limit, where there is a burst}
     *
     * @param algorithm what is promised
     * @param limit units per window
     * @param burst as written
     * @throws InvalidPolicyException saying what is wrong
     */
    public static long normalBurst(Algorithm algorithm, long limit, long burst) {
        if (!algorithm.accepts(Member.BURST)) {
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

    /**
     * {@return the refill in force: null is read as {@code SMOOTH}}
     *
     * @param algorithm what is promised
     * @param refill as written
     * @throws InvalidPolicyException if the algorithm has none
     */
    public static Refill normalRefill(Algorithm algorithm, Refill refill) {
        if (refill == Refill.INTERVAL) {
            requireAccepted(algorithm, Member.REFILL, "refill");
        }
        return refill == null ? Refill.SMOOTH : refill;
    }

    /**
     * Refuses to borrow where there is nothing to borrow from.
     *
     * @param algorithm what is promised
     * @param borrow as written
     * @throws InvalidPolicyException if the algorithm cannot
     */
    public static void requireBorrower(Algorithm algorithm, boolean borrow) {
        if (borrow) {
            requireAccepted(algorithm, Member.BORROW, "borrow");
        }
    }

    /**
     * Refuses to align windows where there are none.
     *
     * @param algorithm what is promised
     * @param aligned as written
     * @throws InvalidPolicyException if the algorithm cannot
     */
    public static void requireAlignable(Algorithm algorithm, boolean aligned) {
        if (aligned) {
            requireAccepted(algorithm, Member.ALIGNED, "aligned");
        }
    }

    /**
     * {@return the enforcement in force: null is read as {@code ENFORCED}}
     *
     * @param algorithm what is promised
     * @param enforcement as written
     * @throws InvalidPolicyException if the algorithm cannot be {@code SOFT}
     */
    public static Enforcement normalEnforcement(Algorithm algorithm, Enforcement enforcement) {
        if (enforcement == Enforcement.SOFT) {
            requireAccepted(algorithm, Member.SOFT, "enforcement", "SOFT");
        }
        return enforcement == null ? Enforcement.ENFORCED : enforcement;
    }

    private static void requireAccepted(Algorithm algorithm, Member member, String name) {
        requireAccepted(algorithm, member, name, name);
    }

    /** @param value what is written, for the message */
    private static void requireAccepted(Algorithm algorithm, Member member, String name, String value) {
        if (!algorithm.accepts(member)) {
            String others = Stream.of(Algorithm.values())
                    .filter(each -> each.accepts(member))
                    .map(Algorithm::name)
                    .collect(Collectors.joining(" and "));
            throw new InvalidPolicyException(name, value + " is for " + others + " only; leave it out of " + algorithm);
        }
    }

    /**
     * {@return the longest wait in force: zero where no request is held}
     *
     * @param algorithm what is promised
     * @param limit units per window
     * @param window the span of the limit
     * @param maxWait as written; null for none
     * @throws InvalidPolicyException saying what is wrong
     */
    public static Duration normalMaxWait(Algorithm algorithm, long limit, Duration window, Duration maxWait) {
        if (maxWait != null && !maxWait.isZero()) {
            requireAccepted(algorithm, Member.MAX_WAIT, "maxWait");
        }
        if (!algorithm.accepts(Member.MAX_WAIT)) {
            return Duration.ZERO;
        }
        if (maxWait == null) {
            throw new InvalidPolicyException(
                    "maxWait",
                    "maxWait is missing; a " + algorithm + " holds requests, and must know how long at most");
        }
        if (maxWait.isNegative() || maxWait.compareTo(MAX_WINDOW) > 0) {
            throw new InvalidPolicyException("maxWait", "maxWait must be from 0 to 366 days, was " + written(maxWait));
        }
        if (maxWait.getNano() % 1_000 != 0) {
            throw new InvalidPolicyException("maxWait", "maxWait must be whole microseconds, was " + maxWait);
        }
        BigInteger slots = exactSlots(limit, window, maxWait);
        if (slots.compareTo(BigInteger.valueOf(MAX_COUNT)) > 0) {
            throw new InvalidPolicyException(
                    "maxWait",
                    "maxWait of " + DurationNotation.format(maxWait) + " at " + limit + " per "
                            + DurationNotation.format(window) + " holds " + slots
                            + " requests, which must be below 2^31; lower maxWait or limit");
        }
        return maxWait;
    }

    /**
     * How many requests a leaky bucket admits at once from rest: {@code 1 + floor(maxWait / T)}.
     */
    private static BigInteger exactSlots(long limit, Duration window, Duration maxWait) {
        return BigInteger.valueOf(micros(maxWait))
                .multiply(BigInteger.valueOf(limit))
                .divide(BigInteger.valueOf(micros(window)))
                .add(BigInteger.ONE);
    }

    /**
     * The furthest that a bucket's instant can lie ahead, {@code (B + max(L, B)) · W / L}, must
     * stay exact in a double.
     *
     * @param algorithm what is promised
     * @param limit units per window
     * @param window the span of the limit
     * @param burst in force
     * @throws InvalidPolicyException if it would not
     */
    public static void requireExact(Algorithm algorithm, long limit, Duration window, long burst) {
        BigInteger furthest =
                BigInteger.valueOf(micros(window)).multiply(BigInteger.valueOf(burst + Math.max(limit, burst)));
        if (algorithm.accepts(Member.BURST)
                && furthest.compareTo(MAX_DEBT_MICROS.multiply(BigInteger.valueOf(limit))) > 0) {
            throw new InvalidPolicyException(
                    "burst",
                    "burst of " + burst + " at " + limit + " per " + DurationNotation.format(window)
                            + " takes decades to come back, too long to be counted exactly; lower burst or raise limit");
        }
    }

    /**
     * Keeps a message on one line: line ends and invisible characters are written as numbers.
     */
    private static String visible(String text) {
        StringBuilder seen = new StringBuilder();
        for (char c : text.toCharArray()) {
            seen.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return seen.toString();
    }

    /** The span as {@code 367d} and not {@code PT8808H}, if that notation is exact. */
    private static String written(Duration span) {
        return span.isNegative() || span.getNano() % 1_000 != 0 ? span.toString() : DurationNotation.format(span);
    }

    /**
     * {@return a span in whole microseconds}
     *
     * @param span as long as a policy may have
     */
    public static long micros(Duration span) {
        return span.getSeconds() * 1_000_000 + span.getNano() / 1_000;
    }
}
