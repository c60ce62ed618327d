package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reports values that cannot be read, and names that nothing reads. At the start they fail the
 * deployment; later each name is logged once.
 */
public final class SettingsCheck {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    private static final String IF_SHARED = " (where services share this configuration, "
            + PolicySettingNames.SHARED.name() + "=true makes it a warning)";

    private Set<String> said = Set.of();
    private Set<String> judged = Set.of();
    private Set<String> judgedFor = Set.of();

    /**
     * A line for each mistake in settings that belong to no policy: all values that cannot be
     * read, and all unknown names unless services share the configuration.
     */
    public static List<String> problems(Settings settings) {
        List<String> problems = new ArrayList<>();
        for (Setting<?> each : Modules.settings().values()) {
            try {
                each.ifSet(settings);
            } catch (InvalidSettingException wrong) {
                problems.add(wrong.getMessage());
            }
        }
        if (!areShared(settings)) {
            problems.addAll(mistakes(SettingNames.unknown(SettingNames.ours(settings))));
        }
        return problems;
    }

    /**
     * Refuses such mistakes.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    public static void check(Settings settings) {
        refuse(problems(settings));
    }

    /** Logs the unknown names that belong to no policy. */
    public void warnAtStart(Settings settings) {
        warn(SettingNames.unknown(SettingNames.ours(settings)));
    }

    /** Whether services share these settings. A value that cannot be read is reported by itself. */
    private static boolean areShared(Settings settings) {
        try {
            return PolicySettingNames.SHARED.in(settings);
        } catch (InvalidSettingException wrong) {
            return false;
        }
    }

    /**
     * Reports the names of policies that do not exist. If services share the configuration, that
     * is left to the first request.
     *
     * @param ours names that are set for the application
     * @param policies all that there are, each with the tiers that its annotation declares
     * @throws RateLimitDeploymentException if there are mistakes, unless services share the
     *     configuration
     */
    public static void checkPolicies(Settings settings, Set<String> ours, Map<String, Set<String>> policies) {
        if (!areShared(settings)) {
            refuse(mistakes(SettingNames.unknownOfPolicies(ours, policies, false)));
        }
    }

    /**
     * Reports context parameters of a web application. Some servers make settings of them; on
     * others they have no effect.
     *
     * @param names those that begin like settings
     * @throws RateLimitDeploymentException if nothing reads one of them, unless services share
     *     the configuration
     */
    public static void checkContextParameters(Settings settings, List<String> names) {
        List<String> problems = names.stream()
                .filter(name -> settings.value(name).isEmpty())
                .map(name ->
                        name + ": is a context parameter of the web application, which the limiter does not read; write"
                                + " it into META-INF/microprofile-config.properties")
                .toList();
        if (areShared(settings)) {
            problems.forEach(SettingsCheck::log);
        } else {
            refuse(problems);
        }
    }

    /** Logs all names that are new since the last call. */
    public synchronized void warn(Settings settings, Map<String, Set<String>> policies) {
        Set<String> ours = SettingNames.ours(settings);
        if (ours.equals(judged) && policies.keySet().equals(judgedFor)) {
            return;
        }
        judged = ours;
        judgedFor = policies.keySet();
        List<UnknownName> problems = new ArrayList<>(SettingNames.unknown(ours));
        problems.addAll(SettingNames.unknownOfPolicies(ours, policies, areShared(settings)));
        warn(problems);
    }

    private synchronized void warn(List<UnknownName> problems) {
        Set<String> lines = new LinkedHashSet<>();
        problems.forEach(problem -> lines.add(problem.line()));
        lines.stream().filter(line -> !said.contains(line)).forEach(SettingsCheck::log);
        said = lines;
    }

    private static void log(String line) {
        LOG.log(System.Logger.Level.WARNING, "LIM05 {0}", LogText.of(line));
    }

    private static List<String> mistakes(List<UnknownName> problems) {
        return problems.stream()
                .filter(UnknownName::isMistake)
                .map(problem -> problem.line() + IF_SHARED)
                .toList();
    }

    /**
     * Fails the deployment if there are problems.
     *
     * @throws RateLimitDeploymentException with each of them once
     */
    public static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems.stream().distinct().toList());
        }
    }
}
