package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code tiers} of a limit. */
final class TierReader {
    private TierReader() {}

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
                problems.add(place.address("tiers") + "\"" + tier.name() + "\" is declared twice; keep one");
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
