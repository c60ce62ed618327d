package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The names of settings that belong to policies: {@code limiter.policy.<name>.<member>}, and which of them have no meaning. */
final class PolicyMember {
    static final String PREFIX = "limiter.policy.";

    private static final String TIER = "tier.";
    private static final List<String> OF_TIERS = List.of("limit", "burst", "unlimited");
    private static final List<String> OF_POLICIES = List.of(
            "limit",
            "window",
            "burst",
            "algorithm",
            "refill",
            "borrow",
            "max-wait",
            "shadow",
            "aligned",
            "enabled",
            "publish",
            "on-store-failure");
    /** Declares a policy that no annotation has. */
    private static final String KEY = "key";

    private PolicyMember() {}

    /** The tiers that the settings of a policy name. */
    static Set<String> tiersOf(String policyPrefix, Settings settings) {
        Set<String> tiers = new TreeSet<>();
        String before = policyPrefix + TIER;
        for (String name : settings.names()) {
            int dot = name.lastIndexOf('.');
            if (name.startsWith(before) && dot > before.length() && OF_TIERS.contains(name.substring(dot + 1))) {
                tiers.add(name.substring(before.length(), dot));
            }
        }
        return tiers;
    }

    /** The policies that configuration declares by itself: those with a key. */
    static Set<String> declared(Settings settings) {
        Set<String> policies = new TreeSet<>();
        for (String name : settings.names()) {
            if (name.startsWith(PREFIX) && name.endsWith('.' + KEY)) {
                policies.add(name.substring(PREFIX.length(), name.length() - KEY.length() - 1));
            }
        }
        return policies;
    }

    /**
     * A line for each setting of a policy that says nothing.
     *
     * @param inConfiguration whether configuration alone declares it, so that it has a key there
     */
    static List<String> problems(String policy, boolean inConfiguration, Settings settings) {
        List<String> problems = new ArrayList<>();
        String before = PREFIX + policy + '.';
        for (String name : settings.names()) {
            if (!name.startsWith(before)) {
                continue;
            }
            String member = name.substring(before.length());
            if (member.equals(KEY)) {
                if (!inConfiguration) {
                    problems.add(name + ": the key of a policy stands in its annotation, and not here");
                }
            } else if (inConfiguration && member.startsWith(TIER)) {
                problems.add(name + ": a policy that configuration declares has no tiers, since nothing names the"
                        + " caller's; leave it out, or declare the policy in an annotation");
            } else if (!isKnown(member) && !mayBelongToAnotherPolicy(member)) {
                problems.add(name + ": no such member of " + nearest(member));
            }
        }
        return problems;
    }

    /** The settings of policies that the application does not have. */
    static List<String> ofUnknownPolicies(Set<String> known, Settings settings) {
        List<String> unknown = new ArrayList<>();
        for (String name : settings.names()) {
            boolean isOfKnown = known.stream().anyMatch(policy -> isOf(policy, name));
            if (name.startsWith(PREFIX) && !isOfKnown) {
                unknown.add(name);
            }
        }
        return unknown;
    }

    private static boolean isOf(String policy, String setting) {
        String before = PREFIX + policy + '.';
        if (!setting.startsWith(before)) {
            return false;
        }
        String member = setting.substring(before.length());
        return isKnown(member) || member.equals(KEY) || !mayBelongToAnotherPolicy(member);
    }

    /** The name of the policy in the name of a setting, as well as it can be told. */
    static String policyIn(String setting) {
        String rest = setting.substring(PREFIX.length());
        int tier = rest.indexOf('.' + TIER);
        int end = tier >= 0 ? tier : rest.lastIndexOf('.');
        return end < 0 ? rest : rest.substring(0, end);
    }

    private static String nearest(String member) {
        return member.startsWith(TIER)
                ? "a tier; " + Nearest.suggest(member.substring(member.lastIndexOf('.') + 1), OF_TIERS)
                : "a policy; " + Nearest.suggest(member, OF_POLICIES);
    }

    private static boolean isKnown(String member) {
        int dot = member.lastIndexOf('.');
        boolean ofTier = member.startsWith(TIER) && dot > TIER.length() && OF_TIERS.contains(member.substring(dot + 1));
        return OF_POLICIES.contains(member) || ofTier;
    }

    /** Names have dots: {@code api.v2.limit} says nothing of {@code api}, and perhaps something of {@code api.v2}. */
    private static boolean mayBelongToAnotherPolicy(String member) {
        String[] parts = member.split("\\.");
        String last = parts[parts.length - 1];
        return parts.length > 1
                && !member.startsWith(TIER)
                && (OF_POLICIES.contains(last)
                        || last.equals(KEY)
                        || Arrays.asList(parts).contains("tier"));
    }
}
