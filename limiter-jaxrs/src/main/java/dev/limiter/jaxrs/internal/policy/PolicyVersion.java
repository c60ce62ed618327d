package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What is in force of a policy, for all its tiers. What it remembers ends with it.
 *
 * @param declaration with what configuration changes in it
 * @param base for callers of no tier
 * @param tiers for callers of a tier that has a limit or a burst of its own
 * @param unlimited tiers that are not counted
 * @param enabled whether the policy counts callers
 * @param configured the members from configuration, as {@code limit=50}; the others are the
 *     declaration's
 * @param candidate numbers that are decided beside these and reject nothing; null if there are none
 * @param callerPeriod the periods of each caller; null if they are the same for all callers
 * @param made what callers with numbers or periods of their own had, by what made it
 */
public record PolicyVersion(
        PolicyDeclaration declaration,
        EffectivePolicy base,
        Map<String, EffectivePolicy> tiers,
        Set<String> unlimited,
        boolean enabled,
        List<String> configured,
        PolicyVersion candidate,
        CallerPeriod callerPeriod,
        Map<Record, EffectivePolicy> made) {
    /** Policies that are remembered. A year has 366 anchors; contract quotas multiply them. */
    static final int MOST_KNOWN = 10_000;

    /**
     * @throws dev.limiter.InvalidPolicyException naming the member, the value and the rule it
     *     breaks
     */
    public static PolicyVersion of(
            PolicyDeclaration declaration, boolean enabled, boolean published, List<String> configured) {
        Map<String, EffectivePolicy> tiers = new HashMap<>();
        Set<String> unlimited = new HashSet<>();
        declaration.tiers().forEach((name, tier) -> {
            if (tier.unlimited()) {
                unlimited.add(name);
            } else {
                tiers.put(name, EffectivePolicy.of(declaration.policy(tier), published));
            }
        });
        return new PolicyVersion(
                declaration,
                EffectivePolicy.of(declaration.policy(), published),
                Map.copyOf(tiers),
                Set.copyOf(unlimited),
                enabled,
                List.copyOf(configured),
                null,
                declaration.callerPeriod(),
                new ConcurrentHashMap<>());
    }

    PolicyVersion with(PolicyVersion decidedBeside) {
        List<String> all = new ArrayList<>(configured);
        decidedBeside.configured().forEach(each -> all.add(PolicySettingNames.CANDIDATE + each));
        return new PolicyVersion(
                declaration, base, tiers, unlimited, enabled, List.copyOf(all), decidedBeside, callerPeriod, made);
    }

    /** What was made of it before; null if that is not remembered. */
    EffectivePolicy known(Record madeOf) {
        return made.get(madeOf);
    }

    EffectivePolicy remembered(Record madeOf, EffectivePolicy policy) {
        if (made.size() >= MOST_KNOWN) {
            made.clear(); // so those of earlier numbers go, and those in use come back
        }
        made.put(madeOf, policy);
        return policy;
    }

    /** The candidate for callers of a policy in force; null if they have numbers of their own. */
    public Policy candidateFor(Policy inForce) {
        if (candidate == null) {
            return null;
        }
        EffectivePolicy beside = isOf(base, inForce)
                ? candidate.of(null)
                : tiers.entrySet().stream()
                        .filter(tier -> isOf(tier.getValue(), inForce))
                        .findFirst()
                        .map(tier -> candidate.of(tier.getKey()))
                        .orElse(null);
        if (beside == null) {
            return null;
        }
        boolean ofCaller = Objects.equals(beside.policy().period(), policy().period());
        return (ofCaller ? beside.in(inForce.period()) : beside).policy();
    }

    /** Whether a policy is this one, or is it in the period of a caller. */
    private static boolean isOf(EffectivePolicy known, Policy inForce) {
        Policy policy = known.policy();
        return policy == inForce
                || policy.period() != null
                        && inForce.period() != null
                        && policy.in(inForce.period()).equals(inForce);
    }

    /**
     * What counts a caller; null if the policy does not count it.
     *
     * @param tier null for none
     */
    public EffectivePolicy of(String tier) {
        if (!enabled || tier != null && unlimited.contains(tier)) {
            return null;
        }
        return tier == null ? base : tiers.getOrDefault(tier, base);
    }

    /** Whether a tier is declared or configured. */
    boolean knows(String tier) {
        return tiers.containsKey(tier) || unlimited.contains(tier);
    }

    public Policy policy() {
        return base.policy();
    }

    /** Those of all tiers that are counted. */
    Stream<Policy> policies() {
        return Stream.concat(Stream.of(base), tiers.values().stream()).map(EffectivePolicy::policy);
    }
}
