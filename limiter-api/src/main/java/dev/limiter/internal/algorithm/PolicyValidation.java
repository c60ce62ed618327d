package dev.limiter.internal.algorithm;

import static dev.limiter.internal.algorithm.PolicyMember.ALGORITHM;
import static dev.limiter.internal.algorithm.PolicyMember.ALIGNED;
import static dev.limiter.internal.algorithm.PolicyMember.BAN;
import static dev.limiter.internal.algorithm.PolicyMember.BURST;
import static dev.limiter.internal.algorithm.PolicyMember.ENFORCEMENT;
import static dev.limiter.internal.algorithm.PolicyMember.KEEP;
import static dev.limiter.internal.algorithm.PolicyMember.LIMIT;
import static dev.limiter.internal.algorithm.PolicyMember.MAX_WAIT;
import static dev.limiter.internal.algorithm.PolicyMember.NAME;
import static dev.limiter.internal.algorithm.PolicyMember.PERIOD;
import static dev.limiter.internal.algorithm.PolicyMember.WINDOW;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.settings.DurationNotation;
import java.math.BigInteger;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules of a policy. Each error names the member, the value, and the change that is needed.
 */
public final class PolicyValidation {
    private static final int MAX_NAME_LENGTH = 100;
    /** What stands beside a policy with a ban has its name, and a word. */
    private static final int LONGEST_BANNING = MAX_NAME_LENGTH - ".rejections".length();

    private static final long MAX_COUNT = (1L << 31) - 1;
    private static final Duration MIN_WINDOW = Duration.ofNanos(1_000);
    private static final Duration MAX_WINDOW = Duration.ofDays(366);

    /**
     * Scripts compute in doubles: with today's 2^51 µs since 1970 on top, this keeps every
     * instant below 2^53.
     */
    private static final BigInteger MAX_DEBT_MICROS = BigInteger.ONE.shiftLeft(51);

    private PolicyValidation() {}

    /**
     * {@return the members in force: a burst of 0 is the limit where there is a burst, and a
     * period is as long as its longest}
     *
     * @param written as written
     * @throws InvalidPolicyException if they break a rule
     */
    public static PolicyMembers valid(PolicyMembers written) {
        requireName(written.get(NAME));
        Algorithm algorithm = written.get(ALGORITHM);
        require(algorithm != null, "algorithm", () -> "algorithm is missing");
        long limit = written.get(LIMIT);
        requireLimit(algorithm, limit);
        Duration window = window(written, algorithm);
        long burst = burst(algorithm, limit, written.get(BURST));
        PolicyMembers members = written.with(WINDOW, window)
                .with(BURST, burst)
                .with(MAX_WAIT, maxWait(algorithm, limit, window, written.get(MAX_WAIT)));
        PolicyMember.ALL.stream()
                .filter(member -> members.differs(member) && !member.isFor(algorithm))
                .findFirst()
                .ifPresent(member -> refuse(algorithm, member.needed(), member.name(), member.name()));
        requireExact(algorithm, limit, window, burst);
        if (members.get(ENFORCEMENT) == Enforcement.SOFT && !algorithm.accepts(Member.SOFT)) {
            refuse(algorithm, Member.SOFT, "enforcement", "SOFT");
        }
        require(
                members.get(BAN) == null || written.get(NAME).length() <= LONGEST_BANNING,
                "ban",
                () -> "ban needs a name of at most " + LONGEST_BANNING + " characters, has "
                        + written.get(NAME).length());
        return members;
    }

    private static void refuse(Algorithm algorithm, Member member, String name, String value) {
        String others = Stream.of(Algorithm.values())
                .filter(each -> each.accepts(member))
                .map(Algorithm::name)
                .collect(Collectors.joining(" and "));
        throw new InvalidPolicyException(name, value + " is for " + others + " only; leave it out of " + algorithm);
    }

    private static void require(boolean holds, String member, Supplier<String> rule) {
        if (!holds) {
            throw new InvalidPolicyException(member, rule.get());
        }
    }

    private static void requireName(String name) {
        require(name != null && !name.isEmpty(), "name", () -> "name is missing");
        require(
                name.length() <= MAX_NAME_LENGTH,
                "name",
                () -> "name must have at most " + MAX_NAME_LENGTH + " characters, has " + name.length());
        require(
                !name.isBlank() && name.equals(name.strip()),
                "name",
                () -> "name must not begin or end with a blank, was \"" + visible(name) + "\"");
        require(
                name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\'),
                "name",
                () -> "name must be printable ASCII without quote or backslash, was \"" + visible(name) + "\"");
    }

    private static void requireLimit(Algorithm algorithm, long limit) {
        require(limit >= 1, "limit", () -> "limit must be at least 1, was " + limit);
        require(limit <= MAX_COUNT, "limit", () -> "limit must be below 2^31, was " + limit);
        require(
                algorithm != Algorithm.GATE || limit == 1,
                "limit",
                () -> "limit of a GATE, which counts nothing, must be 1, was " + limit);
        require(
                limit <= algorithm.maxLimit(),
                "limit",
                () -> "limit of a " + algorithm + " must be at most " + algorithm.maxLimit() + ", was " + limit);
    }

    private static Duration window(PolicyMembers written, Algorithm algorithm) {
        CalendarPeriod period = written.get(PERIOD);
        long keep = written.get(KEEP);
        require(
                keep == 0 || keep == 1 && period != null,
                "keep",
                () -> "keep must be 0, or 1 for a FIXED_WINDOW with a calendar period such as 1 month, was " + keep);
        if (period == null) {
            require(written.get(WINDOW) != null, "window", () -> "window is missing");
            requireSpan("window", "1 µs", MIN_WINDOW, written.get(WINDOW));
            return written.get(WINDOW);
        }
        if (!algorithm.accepts(Member.PERIOD)) {
            refuse(algorithm, Member.PERIOD, "window", "a calendar period");
        }
        require(!written.get(ALIGNED), "aligned", () -> "aligned has no meaning for a calendar period; leave it out");
        return period.longest();
    }

    private static void requireSpan(String member, String shortest, Duration least, Duration span) {
        require(
                span.compareTo(least) >= 0 && span.compareTo(MAX_WINDOW) <= 0,
                member,
                () -> member + " must be from " + shortest + " to 366 days, was " + written(span));
        require(span.getNano() % 1_000 == 0, member, () -> member + " must be whole microseconds, was " + span);
    }

    private static long burst(Algorithm algorithm, long limit, long burst) {
        if (!algorithm.accepts(Member.BURST)) {
            require(burst == 0, "burst", () -> algorithm + " has no burst; leave it out, was " + burst);
            return 0;
        }
        require(
                burst >= 0 && burst <= MAX_COUNT,
                "burst",
                () -> "burst must be from 1 to 2^31 - 1, or 0 for limit, was " + burst);
        return burst == 0 ? limit : burst;
    }

    /** Null where no request is held. */
    private static Duration maxWait(Algorithm algorithm, long limit, Duration window, Duration maxWait) {
        if (!algorithm.accepts(Member.MAX_WAIT)) {
            return maxWait == null || maxWait.isZero() ? null : maxWait;
        }
        require(
                maxWait != null,
                "maxWait",
                () -> "maxWait is missing; write how long a " + algorithm + " may hold a request, such as \"2s\"");
        requireSpan("maxWait", "0", Duration.ZERO, maxWait);
        BigInteger slots = exactSlots(limit, window, maxWait);
        require(
                slots.compareTo(BigInteger.valueOf(MAX_COUNT)) <= 0,
                "maxWait",
                () -> "maxWait of " + DurationNotation.format(maxWait) + " at " + limit + " per "
                        + DurationNotation.format(window) + " holds " + slots
                        + " requests, which must be below 2^31; lower maxWait or limit");
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
     */
    private static void requireExact(Algorithm algorithm, long limit, Duration window, long burst) {
        BigInteger furthest =
                BigInteger.valueOf(micros(window)).multiply(BigInteger.valueOf(burst + Math.max(limit, burst)));
        require(
                !algorithm.accepts(Member.BURST)
                        || furthest.compareTo(MAX_DEBT_MICROS.multiply(BigInteger.valueOf(limit))) <= 0,
                "burst",
                () -> "burst of " + burst + " at " + limit + " per " + DurationNotation.format(window)
                        + " takes decades to refill, too long to count exactly; lower burst or raise limit");
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

    /** A span in whole microseconds, as long as a policy may have. */
    static long micros(Duration span) {
        return span.getSeconds() * 1_000_000 + span.getNano() / 1_000;
    }
}
