package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The configuration of one policy, by its name: {@code limiter.policy.buyer.limit=50}.
 *
 * @param prefix of its settings
 * @param lease how long a lease lasts without renewal; all policies share this length
 * @param operated whether there is the module that decides bans and candidates
 * @param members those that may have a value; the others are not read
 * @param said takes what configuration has changed
 */
public record PolicyOverrides(
        String prefix,
        Settings settings,
        Duration lease,
        boolean operated,
        Predicate<String> members,
        List<String> said) {
    private static final String NO_BANS = "a ban needs dev.limiter:limiter-operations: add it, or remove the ban";

    /** The configuration of a policy, with all members. */
    public PolicyOverrides(String policy, Settings settings, Duration lease, boolean operated) {
        this(PolicySettingNames.PREFIX + policy + '.', settings, lease, operated, member -> true, new ArrayList<>());
    }

    /**
     * Refuses values of policies that cannot be read, before the policies are known. If services
     * share the configuration, a value may be meant for another one.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    public static void requireReadable(Settings settings) {
        List<String> problems = new ArrayList<>();
        boolean shared = PolicySettingNames.SHARED.in(settings);
        for (String name : settings.names()) {
            if (shared || !name.startsWith(PolicySettingNames.PREFIX)) {
                continue;
            }
            try {
                settings.value(name).map(String::strip).map(readerOf(name));
            } catch (InvalidSettingException unset) {
                problems.add(unset.getMessage());
            } catch (IllegalArgumentException unreadable) {
                problems.add(name + ": " + unreadable.getMessage());
            }
        }
        SettingsCheck.refuse(problems);
    }

    /** What reads a member; that of an unknown one takes any text. */
    private static Function<String, ?> readerOf(String setting) {
        String member = setting.substring(setting.lastIndexOf('.') + 1);
        if (setting.contains(".tier.") && (member.equals("limit") || member.equals("burst"))) {
            return PolicyOverrides::units;
        }
        return switch (member) {
            case "window" -> DeclaredWindow::parse;
            case "enabled", "publish", "unlimited" ->
                text -> Setting.flag(setting, true).in(name -> Optional.of(text));
            default ->
                PolicyMember.ALL.stream()
                        .filter(each -> each.isSetting() && each.setting().equals(member))
                        .findFirst()
                        .<Function<String, ?>>map(each -> each::parse)
                        .orElse(text -> text);
        };
    }

    /**
     * The version in force: the declaration, with what configuration changes in it.
     *
     * @throws InvalidSettingException if a value cannot be read, or breaks a rule of the policy
     */
    public PolicyVersion over(PolicyDeclaration declaration) {
        PolicyDeclaration changed = changed(declaration);
        boolean enabled = flag("enabled", true);
        boolean published = flag("publish", true);
        Optional<PolicyDeclaration.Impossible> impossible = changed.impossible();
        if (impossible.isPresent()) {
            String tier = impossible.get().tier();
            InvalidPolicyException why = impossible.get().why();
            throw new InvalidSettingException(
                    prefix + (tier.isEmpty() ? "" : "tier." + tier + '.') + PolicyMember.settingOf(why.member()),
                    why.getMessage());
        }
        if (changed.written().get(PolicyMember.BAN) != null && !operated) {
            throw new InvalidSettingException(prefix + "ban", NO_BANS);
        }
        PolicyVersion version = PolicyVersion.of(changed, enabled, published, said);
        return hasCandidate() ? version.with(candidate(changed)) : version;
    }

    private boolean hasCandidate() {
        String before = PolicySettingNames.CANDIDATE;
        return operated
                && (Stream.of("limit", "burst", "window").anyMatch(each -> isSet(before + each))
                        || !PolicySettingNames.tiersOf(prefix + before, settings)
                                .isEmpty());
    }

    /** The policy with the numbers of its candidate, which counts in a state of its own. */
    private PolicyVersion candidate(PolicyDeclaration policy) {
        String name = policy.name() + ".candidate";
        PolicyMembers written = policy.written()
                .with(PolicyMember.NAME, name)
                .with(PolicyMember.ENFORCEMENT, Enforcement.SHADOW)
                .with(PolicyMember.ON_STORE_FAILURE, OnStoreFailure.OPEN);
        if (!policy.policy().rules().rejectionEndsByClock()) {
            throw new InvalidSettingException(
                    prefix + PolicySettingNames.CANDIDATE + "limit",
                    policy.algorithm() + " counts requests in flight, so it has no candidate; remove it");
        }
        String own = PolicySettingNames.PREFIX + name + '.';
        return new PolicyOverrides(own, settings, lease, operated, PolicySettingNames::isOfCandidate, new ArrayList<>())
                .over(new PolicyDeclaration(written, policy.window(), policy.tiers(), policy.contracts()));
    }

    private PolicyDeclaration changed(PolicyDeclaration declaration) {
        Algorithm algorithm = value(PolicyMember.ALGORITHM, declaration.algorithm());
        boolean same = algorithm == declaration.algorithm();
        if (!same
                && declaration.algorithm() != null
                && (isOfItsOwn(algorithm) || isOfItsOwn(declaration.algorithm()))) {
            throw new InvalidSettingException(
                    prefix + "algorithm",
                    declaration.algorithm() + " cannot become " + algorithm
                            + " in configuration, since one"
                            + " of them holds requests or leases; change the annotation");
        }
        boolean windowless = algorithm != null && !algorithm.accepts(Member.WINDOW);
        if (windowless && isSet("window")) {
            throw new InvalidSettingException(
                    prefix + "window",
                    "has no meaning for " + algorithm + ", whose limit is how many are in flight; leave it out");
        }
        PolicyMembers written = declaration.written().with(PolicyMember.ALGORITHM, algorithm);
        DeclaredWindow window = windowless ? DeclaredWindow.of(lease) : window(declaration.window());
        for (PolicyMember<?> member : PolicyMember.ALL) {
            if (member.isSetting() && member != PolicyMember.ALGORITHM) {
                written = changed(written, member, same || member.isFor(algorithm));
            }
        }
        return new PolicyDeclaration(
                written,
                window,
                tiers(declaration.tiers(), same || PolicyMember.BURST.isFor(algorithm)),
                declaration.contracts());
    }

    /** @param kept whether a member that is written has a meaning for the algorithm in force */
    private <T> PolicyMembers changed(PolicyMembers written, PolicyMember<T> member, boolean kept) {
        return written.with(member, value(member, kept ? written.get(member) : member.otherwise()));
    }

    private <T> T value(PolicyMember<T> member, T otherwise) {
        return value(member.setting(), member::parse, otherwise);
    }

    /** The window in force: the anchor of the declaration holds for periods without one. */
    private DeclaredWindow window(DeclaredWindow declared) {
        return value("window", text -> DeclaredWindow.parse(text).insteadOf(declared), declared);
    }

    /**
     * Whether the algorithm cannot be exchanged with others: slots and leases need other
     * members, and more than counting.
     */
    private static boolean isOfItsOwn(Algorithm algorithm) {
        return !algorithm.accepts(Member.COUNT_ON);
    }

    private Map<String, PolicyDeclaration.TierDeclaration> tiers(
            Map<String, PolicyDeclaration.TierDeclaration> declared, boolean bursts) {
        Set<String> names = new TreeSet<>(declared.keySet());
        names.addAll(PolicySettingNames.tiersOf(prefix, settings));
        Map<String, PolicyDeclaration.TierDeclaration> tiers = new LinkedHashMap<>();
        for (String name : names) {
            PolicyDeclaration.TierDeclaration tier =
                    declared.getOrDefault(name, new PolicyDeclaration.TierDeclaration(0, 0, false));
            String member = "tier." + name + '.';
            // A limit or a burst for a tier that was declared unlimited limits it.
            boolean limited = isSet(member + "limit") || isSet(member + "burst");
            tiers.put(
                    name,
                    new PolicyDeclaration.TierDeclaration(
                            value(member + "limit", PolicyOverrides::units, tier.limit()),
                            value(member + "burst", PolicyOverrides::units, bursts ? tier.burst() : 0L),
                            flag(member + "unlimited", tier.unlimited() && !limited)));
        }
        return tiers;
    }

    private boolean flag(String member, boolean otherwise) {
        return value(member, Setting.flag(prefix + member, otherwise).reader(), otherwise);
    }

    private boolean isSet(String member) {
        return text(member).isPresent();
    }

    private Optional<String> text(String member) {
        return members.test(member) ? settings.value(prefix + member) : Optional.empty();
    }

    private <T> T value(String member, Function<String, T> reader, T otherwise) {
        Optional<String> text = text(member).map(String::strip);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            T value = reader.apply(text.get());
            said.add(member + '=' + text.get());
            return value;
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidSettingException(prefix + member, unreadable.getMessage());
        }
    }

    /** A number of a tier, which is at least 1: in a declaration 0 keeps the policy's number. */
    private static long units(String text) {
        long units = PolicyMember.LIMIT.parse(text);
        if (units < 1) {
            throw new IllegalArgumentException("must be at least 1, was " + units);
        }
        return units;
    }
}
