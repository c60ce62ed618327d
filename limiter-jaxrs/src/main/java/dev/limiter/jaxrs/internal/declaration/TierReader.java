package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code tier} and {@code tiers} of a limit. */
final class TierReader {
    private TierReader() {}

    /** The expression that names the caller's tier; null without one, or with a wrong one. */
    static KeyExpression.Segment compile(
            RateLimited limited, DeclarationSite place, List<String> problems, boolean tiersInConfiguration) {
        boolean has = limited.tiers().length > 0 || tiersInConfiguration;
        if (limited.tier().isEmpty()) {
            if (has) {
                problems.add(place.address("tier")
                        + (limited.tiers().length > 0
                                ? "is missing"
                                : "is missing, and configuration has numbers of a tier")
                        + "; write what names the caller's tier, such as \"{claim:plan}\"");
            }
            return null;
        }
        if (!has) {
            problems.add(place.address("tiers") + "is missing; write limit and burst of each tier, such as"
                    + " tiers = @Tier(name = \"gold\", limit = 6000)");
        }
        try {
            KeyExpression.Segment tier = KeyExpression.single(limited.tier(), "{claim:plan}");
            for (KeyValueSource source : tier.alternatives()) {
                if (source.isChosenByCaller()) {
                    problems.add(place.address("tier") + '"' + source.written()
                            + "\" is what the caller writes, and it would choose the best tier; take it from \"{claim:...}\","
                            + " \"{attribute:...}\" or \"{bean:...}\"");
                }
            }
            return tier;
        } catch (IllegalArgumentException wrong) {
            problems.add(place.address("tier") + wrong.getMessage());
            return null;
        }
    }

    static Map<String, PolicyDeclaration.TierDeclaration> read(
            RateLimited limited, DeclarationSite place, List<String> problems) {
        Map<String, PolicyDeclaration.TierDeclaration> tiers = new LinkedHashMap<>();
        for (Tier tier : limited.tiers()) {
            String wrong = problemOf(tier);
            if (wrong != null) {
                problems.add(place.address("tiers") + wrong);
            } else if (tiers.putIfAbsent(
                            tier.name(),
                            new PolicyDeclaration.TierDeclaration(tier.limit(), tier.burst(), tier.unlimited()))
                    != null) {
                problems.add(place.address("tiers") + "\"" + tier.name() + "\" is there twice");
            }
        }
        return tiers;
    }

    private static String problemOf(Tier tier) {
        String name = "tier \"" + tier.name() + "\" ";
        if (!tier.name().matches("[!-~&&[^.\"\\\\]]{1,100}")) {
            return name + "must be 1 to 100 characters of printable ASCII without blank, dot, quote or backslash";
        }
        if (tier.limit() < 0 || tier.burst() < 0) {
            return name + "must not have a limit or burst below 1, has limit " + tier.limit() + " and burst "
                    + tier.burst();
        }
        boolean changes = tier.limit() != 0 || tier.burst() != 0;
        if (tier.unlimited() && changes) {
            return name + "is unlimited and has a limit or burst; leave one out";
        }
        return tier.unlimited() || changes
                ? null
                : name + "changes nothing; give it a limit, a burst or unlimited = true";
    }
}
