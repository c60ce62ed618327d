package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The problems of names that are no setting's. {@link Modules} has the settings;
 * {@link PolicySettingNames} has those of policies. The environment writes
 * {@code limiter.redis.uri} as {@code LIMITER_REDIS_URI}.
 */
public final class SettingNames {
    public static final String PREFIX = "limiter.";

    private static final String ENVIRONMENT = "LIMITER_";

    /**
     * Variables that Kubernetes sets in each pod for a service named {@code limiter} or
     * {@code limiter-...}. They are no settings.
     */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile(ENVIRONMENT + "(\\w+_)?(SERVICE_(HOST|PORT(_\\w+)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_\\w+)?)?)");

    /** What is found by listing names. A variable has no dots, and so does not say its name. */
    private static final Pattern FOUND_BY_NAME =
            Pattern.compile(ENVIRONMENT + "POLICY_\\w+_(KEY|TIER_\\w+_(LIMIT|BURST|UNLIMITED))");

    private static final String NOT_FROM_THERE =
            "; a tier that no annotation declares, and a key, are not read from the"
                    + " environment: write them with dots, into a file or a system property";

    private SettingNames() {}

    /**
     * The unknown names that belong to no policy, each with the nearest known name. A variable
     * of the environment that is near to none is no mistake, and has no nearest name.
     *
     * @param ours names that are meant for the limiter
     */
    static List<UnknownName> unknown(Set<String> ours) {
        Set<String> known = spelledForEnvironment(Modules.settings().keySet());
        known.addAll(Modules.settings().keySet());
        return asWritten(ours).stream()
                .filter(name -> !isOfPolicy(name))
                .filter(name -> !known.contains(isOfEnvironment(name) ? inEnvironment(name) : name))
                .map(name -> isOfEnvironment(name)
                        ? ofEnvironment(name, candidatesOfEnvironment(inEnvironment(name)))
                        : new UnknownName(problem(name, Suggestions.of(name, candidates(name))), true))
                .toList();
    }

    /**
     * The unknown names of policies, each with the name that was probably meant.
     *
     * @param ours names that are meant for the limiter
     * @param policies all that there are, each with the tiers that its annotation declares
     * @param shared whether a name may belong to a policy of another service, so that no policy
     *     of this one is suggested
     */
    static List<UnknownName> unknownOfPolicies(Set<String> ours, Map<String, Set<String>> policies, boolean shared) {
        List<UnknownName> problems = new ArrayList<>();
        for (String name : asWritten(ours)) {
            if (!isOfPolicy(name)) {
                continue;
            }
            if (!isOfEnvironment(name)) {
                PolicySettingNames.problem(name, policies, shared)
                        .ifPresent(problem -> problems.add(new UnknownName(name + ": " + problem, true)));
            } else {
                Set<String> read = spelledForEnvironment(PolicySettingNames.allOf(policies));
                read.removeIf(variable -> variable.endsWith("_KEY"));
                if (!read.contains(inEnvironment(name)) && !isListed(name, ours, policies)) {
                    problems.add(ofEnvironment(name, shared ? Set.of() : read));
                }
            }
        }
        return problems;
    }

    /**
     * The names that are set and meant for the limiter, those of the environment included, and the
     * variables that settings need.
     */
    public static Set<String> ours(Settings settings) {
        Set<String> ours = new TreeSet<>();
        for (String name : settings.names()) {
            if (name.startsWith(PREFIX) || isOfEnvironment(name) || name.startsWith("${")) {
                ours.add(name);
            }
        }
        return ours;
    }

    /**
     * The names without those that a source has derived from the environment, without those of
     * Kubernetes, and without variables that settings need.
     */
    private static Set<String> asWritten(Set<String> ours) {
        Set<String> environment = new TreeSet<>();
        ours.stream().filter(SettingNames::isOfEnvironment).forEach(name -> environment.add(inEnvironment(name)));
        Set<String> written = new TreeSet<>(ours);
        written.removeIf(name -> !isOfEnvironment(name) && environment.contains(inEnvironment(name)));
        written.removeIf(name -> OF_KUBERNETES.matcher(name).matches());
        written.removeIf(name -> name.startsWith("${") || ours.contains("${" + name + '}'));
        return written;
    }

    private static boolean isOfEnvironment(String name) {
        return name.startsWith(ENVIRONMENT) || name.startsWith(ENVIRONMENT.toLowerCase(Locale.ROOT));
    }

    private static boolean isOfPolicy(String name) {
        return name.startsWith(PolicySettingNames.PREFIX)
                || isOfEnvironment(name) && inEnvironment(name).startsWith(inEnvironment(PolicySettingNames.PREFIX));
    }

    /**
     * The name of the variable by which MicroProfile Config looks for a setting in the
     * environment.
     */
    static String inEnvironment(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    private static Set<String> spelledForEnvironment(Set<String> names) {
        return names.stream().map(SettingNames::inEnvironment).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Whether a source has a variable's name with dots, too, and that is read: another source, or
     * one that derives it from the environment, as SmallRye Config does.
     */
    private static boolean isListed(String variable, Set<String> ours, Map<String, Set<String>> policies) {
        return ours.stream()
                .filter(name -> name.startsWith(PREFIX) && inEnvironment(name).equals(inEnvironment(variable)))
                .anyMatch(name ->
                        PolicySettingNames.problem(name, policies, false).isEmpty());
    }

    /**
     * Names that may be meant: those of no policy, and this name with "policy" as its second
     * word.
     */
    private static Set<String> candidates(String name) {
        Set<String> candidates = new TreeSet<>(Modules.settings().keySet());
        int dot = name.indexOf('.', PREFIX.length());
        if (dot > 0) {
            candidates.add(PolicySettingNames.PREFIX + name.substring(dot + 1));
        }
        return candidates;
    }

    /**
     * Names that may be meant: those of no policy, and this name with "POLICY" as its second
     * word, if that is similar.
     */
    private static Set<String> candidatesOfEnvironment(String name) {
        Set<String> candidates = spelledForEnvironment(Modules.settings().keySet());
        int end = name.indexOf('_', ENVIRONMENT.length());
        if (end > 0 && Suggestions.isNearForItsLength(name.substring(ENVIRONMENT.length(), end), "POLICY")) {
            candidates.add(inEnvironment(PolicySettingNames.PREFIX) + name.substring(end + 1));
        }
        return candidates;
    }

    private static UnknownName ofEnvironment(String name, Set<String> candidates) {
        String written = inEnvironment(name);
        Optional<String> near = Suggestions.of(written, candidates).filter(known -> mayBeMeant(written, known));
        boolean byName = FOUND_BY_NAME.matcher(written).matches();
        return new UnknownName(problem(name, near) + (byName ? NOT_FROM_THERE : ""), byName || near.isPresent());
    }

    /** Whether a variable is probably a misspelt setting. The common prefix does not count. */
    private static boolean mayBeMeant(String written, String known) {
        String word = written.substring(ENVIRONMENT.length());
        String candidate = known.substring(ENVIRONMENT.length());
        return Suggestions.isNearForItsLength(word, candidate) || Suggestions.isMostly(word, candidate);
    }

    private static String problem(String name, Optional<String> nearest) {
        return name + ": no such setting"
                + nearest.map(known -> "; the nearest is \"" + known + '"').orElse("");
    }
}
