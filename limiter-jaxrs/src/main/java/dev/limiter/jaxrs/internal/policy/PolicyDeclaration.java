package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.UnknownTimeZoneException;
import dev.limiter.jaxrs.internal.text.Suggestions;
import dev.limiter.spi.DurationNotation;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The numbers of a policy as written, before the defaults: a member that is not written is 0 or
 * null. So if configuration changes the limit, a burst that is not written changes with it.
 *
 * @param window null for a period of the calendar
 * @param tiers other numbers by tier
 * @param period the period of the calendar instead of a window of one length; null for none
 */
public record PolicyDeclaration(
        String name,
        Algorithm algorithm,
        long limit,
        Duration window,
        long burst,
        Refill refill,
        boolean borrow,
        Duration maxWait,
        boolean aligned,
        Enforcement enforcement,
        Map<String, TierDeclaration> tiers,
        OnStoreFailure onStoreFailure,
        CalendarPeriod period) {

    /** A policy with windows of one length. */
    public PolicyDeclaration(
            String name,
            Algorithm algorithm,
            long limit,
            Duration window,
            long burst,
            Refill refill,
            boolean borrow,
            Duration maxWait,
            boolean aligned,
            Enforcement enforcement,
            Map<String, TierDeclaration> tiers,
            OnStoreFailure onStoreFailure) {
        this(
                name,
                algorithm,
                limit,
                window,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                tiers,
                onStoreFailure,
                null);
    }

    /**
     * This policy with the window as it is written: a span, or a period of the calendar.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public PolicyDeclaration per(String written) {
        boolean calendar = CalendarPeriod.isMeant(written);
        return new PolicyDeclaration(
                name,
                algorithm,
                limit,
                calendar ? null : DurationNotation.parse(written),
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                tiers,
                onStoreFailure,
                calendar ? periodOf(written) : null);
    }

    /**
     * Reads a period of the calendar.
     *
     * @throws IllegalArgumentException if it is none; of an unknown time zone with the nearest
     */
    static CalendarPeriod periodOf(String written) {
        try {
            return CalendarPeriod.parse(written);
        } catch (UnknownTimeZoneException unknown) {
            throw Suggestions.of(unknown.zone(), new TreeSet<>(ZoneId.getAvailableZoneIds()))
                    .filter(zone -> Suggestions.isNear(unknown.zone(), zone))
                    .map(zone -> new IllegalArgumentException(
                            '"' + unknown.zone() + "\" is no time zone; did you mean \"" + zone + "\"?"))
                    .orElse(unknown);
        }
    }

    /** The numbers of a tier; 0 keeps the policy's number. */
    public record TierDeclaration(long limit, long burst, boolean unlimited) {}

    /**
     * The policy of callers without a tier.
     *
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy policy() {
        return policy(limit, burst);
    }

    /** The policy of a tier, which is not unlimited. */
    Policy policy(TierDeclaration tier) {
        return policy(tier.limit() == 0 ? limit : tier.limit(), tier.burst() == 0 ? burst : tier.burst());
    }

    /**
     * Why these numbers are no policy.
     *
     * @param tier whose numbers they are; empty for those of callers without a tier
     */
    record Impossible(String tier, InvalidPolicyException why) {}

    /** The first rule that a policy of these numbers would break; empty if it breaks none. */
    Optional<Impossible> impossible() {
        String with = "";
        try {
            policy();
            for (Map.Entry<String, TierDeclaration> tier : tiers.entrySet()) {
                with = tier.getKey();
                if (!tier.getValue().unlimited()) {
                    policy(tier.getValue());
                }
            }
            return Optional.empty();
        } catch (InvalidPolicyException why) {
            return Optional.of(new Impossible(with, why));
        }
    }

    private Policy policy(long units, long backToBack) {
        if (algorithm == Algorithm.GATE) {
            throw new InvalidPolicyException(
                    "algorithm", "a GATE counts nothing, and cannot be declared: it stands beside a partner's limit");
        }
        Policy policy = new Policy(
                name,
                algorithm,
                units,
                period == null ? window : Duration.ofDays(1),
                backToBack,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
        return period == null ? policy : policy.in(period);
    }
}
