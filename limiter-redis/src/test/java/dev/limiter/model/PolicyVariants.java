package dev.limiter.model;

import static dev.limiter.Algorithm.SLIDING_LOG;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.testkit.property.Dice;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Policies of one name and window, which share their states: the tiers of a tariff, a limit
 * before and after it was changed.
 *
 * @param tiers the first is met most; a change of the clock's alignment is none, for it moves
 *     the windows
 * @param changePercent how often another than the first is met
 */
record PolicyVariants(List<Policy> tiers, int changePercent) {
    private static final Long[] WINDOWS = {1_000_003L, 10_000_000L, 60_000_000L, 3_600_000_000L, 31_622_400_000_000L};
    private static final Long[] PRIMES = {2L, 3L, 5L, 7L, 11L, 13L, 97L, 101L, 997L};
    private static final Long[] LARGE = {1_999L, 1_000_000L, 2_147_483_629L, 2_147_483_647L};

    private static final String[] UNITS = {"day", "week", "month", "quarter", "year"};
    private static final String[] ZONES = {"", "Europe/Paris", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"};

    /** The largest log: larger ones show no more and take longer. */
    private static final long MOST_LOGGED = 2_000;

    static PolicyVariants draw(String name, Kind kind, Dice dice) {
        Algorithm algorithm = kind.algorithm();
        Duration window = Duration.of(dice.oneOf(WINDOWS), ChronoUnit.MICROS);
        boolean aligned = algorithm.accepts(Member.ALIGNED) && dice.chance(50);
        long limit = limit(algorithm, dice);
        boolean calendar = algorithm.accepts(Member.PERIOD) && dice.chance(40);
        String unit = dice.oneOf(UNITS);
        boolean movable = dice.chance(50);
        List<Policy> tiers = new ArrayList<>();
        boolean varies = limit / 2 % 2 == 0; // no draw of its own: the histories stay as they were
        long keeping = calendar ? List.of(0, 3, 2).get((int) (limit % 3)) : 0; // nor this
        for (long other : List.of(limit, limit, otherLimit(algorithm, limit, dice))) {
            Policy tier = calendar
                    ? Policy.of(name, other, movable ? period(unit, dice).movable() : period(unit, dice))
                    : tier(name, kind, window, aligned, other, dice);
            Policy kept = tiers.size() < keeping ? tier.keepingPrevious() : tier;
            tiers.add(varies ? kept.withVaryingLimit() : kept);
        }
        return new PolicyVariants(tiers, dice.oneOf(0, 5, 20, 60));
    }

    /**
     * A policy as it may come with a call: its tier, whether it borrows, whether it is soft or a
     * shadow.
     */
    Policy draw(Dice dice) {
        Policy tier = dice.chance(changePercent) ? dice.oneOf(tiers) : tiers.get(0);
        Policy taker = tier.algorithm().accepts(Member.BORROW) && dice.chance(25) ? tier.borrowing() : tier;
        if (tier.algorithm().accepts(Member.SOFT) && dice.chance(20)) {
            return tier.asSoft();
        }
        return dice.chance(12) ? taker.asShadow() : taker;
    }

    /** Zone and anchor may change from tier to tier: they share a state. */
    private static CalendarPeriod period(String unit, Dice dice) {
        CalendarPeriod period = CalendarPeriod.parse(("1 " + unit + " " + dice.oneOf(ZONES)).strip());
        return switch (unit) {
            case "week" -> period.withAnchor(String.valueOf(dice.between(1, 7)));
            case "month" -> period.withAnchor(dice.oneOf("1", "15", "29", "30", "31"));
            case "quarter", "year" -> period.withAnchor(dice.oneOf("01-01", "02-29", "03-15", "05-31"));
            default -> period;
        };
    }

    private static long limit(Algorithm algorithm, Dice dice) {
        long limit = dice.oneOf(
                1L,
                dice.between(2, 12),
                dice.between(2, 12),
                dice.oneOf(PRIMES),
                dice.between(10, 1_000),
                dice.oneOf(LARGE));
        return Math.min(limit, algorithm == SLIDING_LOG ? MOST_LOGGED : algorithm.maxLimit());
    }

    private static long otherLimit(Algorithm algorithm, long limit, Dice dice) {
        return dice.oneOf(Math.max(1, limit - 1), Math.max(1, limit / 2), limit(algorithm, dice));
    }

    private static Policy tier(String name, Kind kind, Duration window, boolean aligned, long limit, Dice dice) {
        Algorithm algorithm = kind.algorithm();
        Refill refill = kind.refill();
        long burst = algorithm.accepts(Member.BURST)
                ? dice.oneOf(0L, 0L, 1L, 2 * limit, dice.between(2, 12), dice.oneOf(PRIMES))
                : 0;
        Duration maxWait = algorithm.accepts(Member.MAX_WAIT) ? maxWait(window, limit, dice) : Duration.ZERO;
        PolicyMembers members = PolicyMembers.of(name, algorithm, limit)
                .with(PolicyMember.WINDOW, window)
                .with(PolicyMember.REFILL, refill)
                .with(PolicyMember.ALIGNED, aligned);
        try {
            return new Policy(members.with(PolicyMember.BURST, burst).with(PolicyMember.MAX_WAIT, maxWait));
        } catch (InvalidPolicyException tooFar) {
            // A burst that takes decades to come back, or a queue of 2^31, is refused. That is
            // not tested here.
            return new Policy(members.with(PolicyMember.MAX_WAIT, Duration.ZERO));
        }
    }

    private static Duration maxWait(Duration window, long limit, Dice dice) {
        Duration wait = dice.oneOf(
                Duration.ZERO,
                window.dividedBy(limit),
                window.dividedBy(2),
                window,
                window.multipliedBy(2),
                window.dividedBy(dice.between(1, 2 * limit)));
        Duration whole = wait.truncatedTo(ChronoUnit.MICROS);
        return whole.compareTo(Duration.ofDays(366)) > 0 ? window : whole;
    }
}
