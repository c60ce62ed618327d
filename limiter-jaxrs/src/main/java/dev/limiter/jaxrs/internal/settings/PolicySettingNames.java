package dev.limiter.jaxrs.internal.settings;

import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The names of settings that belong to policies: {@code limiter.policy.<name>.<member>}, and
 * which of them have no meaning.
 */
public final class PolicySettingNames {
    /**
     * Whether several services share the configuration, so that a name without a meaning here
     * may have one there.
     */
    public static final Setting<Boolean> SHARED = Setting.flag("limiter.configuration.shared", false);

    public static final String PREFIX = "limiter.policy.";

    /** Before the members of a candidate, which the module for operators decides, too. */
    public static final String CANDIDATE = "candidate.";

    private static final List<String> OF_CANDIDATES = List.of("limit", "burst", "window");
    private static final String TIER = "tier.";
    private static final List<String> OF_TIERS = List.of("limit", "burst", "unlimited");
    private static final List<String> OF_POLICIES = Stream.concat(
                    PolicyMember.ALL.stream()
                            .filter(member -> member.isSetting() || member == PolicyMember.WINDOW)
                            .map(PolicyMember::setting),
                    Stream.of("enabled", "publish"))
            .toList();
    /** The member that declares a policy without an annotation. */
    private static final String KEY = "key";

    private PolicySettingNames() {}

    /** The tiers that the settings of a policy name. */
    public static Set<String> tiersOf(String policyPrefix, Settings settings) {
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
    public static Set<String> declared(Settings settings) {
        Set<String> policies = new TreeSet<>();
        for (String name : settings.names()) {
            if (name.startsWith(PREFIX) && name.endsWith('.' + KEY)) {
                policies.add(name.substring(PREFIX.length(), name.length() - KEY.length() - 1));
            }
        }
        return policies;
    }

    /**
     * A line for each setting of a policy without a meaning. If services share the
     * configuration, members and tiers that are unknown here are left to
     * {@link SettingsCheck}.
     *
     * @param tiers those that its annotation declares; null if nothing names a caller's tier, as
     *     where configuration alone declares it, so that it has a key there
     */
    public static List<String> problems(String policy, Set<String> tiers, Settings settings) {
        List<String> problems = new ArrayList<>();
        boolean shared = SHARED.in(settings);
        String before = PREFIX + policy + '.';
        for (String name : settings.names()) {
            if (!name.startsWith(before)) {
                continue;
            }
            String member = name.substring(before.length());
            if (member.equals(KEY)) {
                if (tiers != null) {
                    problems.add(name + ": an annotation declares this policy and its key; remove this");
                }
            } else if (tiers == null && (member.startsWith(TIER) || member.startsWith(CANDIDATE + TIER))) {
                problems.add(name + ": no annotation says which tier a caller has; remove this, or write"
                        + " tier in the annotation");
            } else if (!shared && !mayBelongToAnotherPolicy(member)) {
                problemOf(member, tiers).ifPresent(problem -> problems.add(name + ": " + problem));
            }
        }
        return problems;
    }

    /**
     * Why nothing reads a setting of a policy; empty if it is read.
     *
     * @param policies all that there are, each with the tiers that its annotation declares
     * @param shared whether it may belong to a policy of another service, so that no policy of
     *     this one is suggested
     */
    static Optional<String> problem(String setting, Map<String, Set<String>> policies, boolean shared) {
        // If a name begins with another, the longer one counts.
        for (String policy : new TreeSet<>(policies.keySet()).descendingSet()) {
            String before = PREFIX + policy + '.';
            if (setting.startsWith(before)) {
                String member = setting.substring(before.length());
                if (member.equals(KEY)) {
                    return Optional.empty();
                }
                if (isKnown(member) || !mayBelongToAnotherPolicy(member)) {
                    return problemOf(member, policies.get(policy));
                }
            }
        }
        String none = "no policy of this application has that name";
        String policy = policyIn(setting);
        String suggested = Suggestions.suggest(policy, List.copyOf(new TreeSet<>(policies.keySet())));
        String declared = suggested.endsWith("?") ? "" : "; " + PREFIX + policy + '.' + KEY + " would declare it here";
        return Optional.of(shared ? none : none + "; " + suggested + declared);
    }

    /**
     * All settings of some policies, and of their declared tiers.
     *
     * @param policies each with the tiers that its annotation declares
     */
    static Set<String> allOf(Map<String, Set<String>> policies) {
        Set<String> all = new TreeSet<>();
        policies.forEach((policy, tiers) -> {
            String before = PREFIX + policy + '.';
            OF_POLICIES.forEach(member -> all.add(before + member));
            all.add(before + KEY);
            if (Modules.isOperated()) {
                OF_CANDIDATES.forEach(member -> all.add(before + CANDIDATE + member));
            }
            tiers.forEach(tier -> OF_TIERS.forEach(member -> all.add(before + TIER + tier + '.' + member)));
        });
        return all;
    }

    /** Whether a setting is read at the start only, though others of policies are read again. */
    public static boolean isReadOnce(String setting) {
        return setting.startsWith(PREFIX) && setting.endsWith('.' + KEY);
    }

    private static Optional<String> problemOf(String member, Set<String> tiers) {
        if (!isKnown(member)) {
            return Optional.of("no such member of " + nearest(member));
        }
        if (!member.startsWith(TIER)) {
            return Optional.empty();
        }
        String tier = member.substring(TIER.length(), member.lastIndexOf('.'));
        return tiers.contains(tier)
                ? Optional.empty()
                : Suggestions.of(tier, tiers)
                        .filter(declared -> Suggestions.isNearForItsLength(tier, declared))
                        .map(declared -> "the annotation has no tier \"" + tier + "\"; did you mean \"" + declared
                                + "\"? A new tier with so similar a name must be declared in the annotation");
    }

    /** The name of the policy in the name of a setting, as well as it can be found. */
    static String policyIn(String setting) {
        String rest = setting.substring(PREFIX.length());
        int tier = rest.indexOf('.' + TIER);
        int end = tier >= 0 ? tier : rest.lastIndexOf('.');
        return end < 0 ? rest : rest.substring(0, end);
    }

    private static String nearest(String member) {
        return member.startsWith(TIER)
                ? "a tier; " + Suggestions.suggest(member.substring(member.lastIndexOf('.') + 1), OF_TIERS)
                : "a policy; " + Suggestions.suggest(member, OF_POLICIES);
    }

    /** Whether a candidate has a member of its own. */
    public static boolean isOfCandidate(String member) {
        return OF_CANDIDATES.contains(member) || member.startsWith(TIER) && isKnown(member);
    }

    private static boolean isKnown(String member) {
        if (member.startsWith(CANDIDATE) && Modules.isOperated()) {
            return isOfCandidate(member.substring(CANDIDATE.length()));
        }
        int dot = member.lastIndexOf('.');
        boolean ofTier = member.startsWith(TIER) && dot > TIER.length() && OF_TIERS.contains(member.substring(dot + 1));
        return OF_POLICIES.contains(member) || ofTier;
    }

    /**
     * Names may have dots: {@code api.v2.limit} may belong to {@code api.v2} instead of
     * {@code api}.
     */
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
