package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.text.LogText;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reports names of settings that nothing reads. At the start it fails the deployment; later it
 * logs each name once.
 */
public final class UnknownSettings {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    private static final String IF_SHARED =
            " (where services share this configuration, " + SettingNames.SHARED + "=true makes it a warning)";

    private Set<String> said = Set.of();
    private Set<String> judged = Set.of();
    private Set<String> judgedFor = Set.of();

    /**
     * Reports the names that belong to no policy.
     *
     * @throws RateLimitDeploymentException if there are mistakes, unless services share the
     *     configuration
     */
    public void checkAtStart(Settings settings) {
        check(settings);
        warn(SettingNames.unknown(SettingNames.ours(settings)));
    }

    /**
     * The same without a log.
     *
     * @throws RateLimitDeploymentException if there are mistakes, unless services share the
     *     configuration
     */
    public static void check(Settings settings) {
        if (!SettingNames.areShared(settings)) {
            refuse(SettingNames.unknown(SettingNames.ours(settings)));
        }
    }

    /**
     * Reports the names of policies that do not exist. If services share the configuration, that
     * is left to the first request.
     *
     * @param policies all that there are, each with the tiers that its annotation declares
     * @throws RateLimitDeploymentException if there are mistakes, unless services share the
     *     configuration
     */
    public static void checkPolicies(Settings settings, Map<String, Set<String>> policies) {
        if (!SettingNames.areShared(settings)) {
            refuse(SettingNames.unknownOfPolicies(SettingNames.ours(settings), policies, false));
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
        if (SettingNames.areShared(settings)) {
            problems.forEach(UnknownSettings::log);
        } else if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems);
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
        problems.addAll(SettingNames.unknownOfPolicies(ours, policies, SettingNames.areShared(settings)));
        warn(problems);
    }

    private synchronized void warn(List<UnknownName> problems) {
        Set<String> lines = new LinkedHashSet<>();
        problems.forEach(problem -> lines.add(problem.line()));
        lines.stream().filter(line -> !said.contains(line)).forEach(UnknownSettings::log);
        said = lines;
    }

    private static void log(String line) {
        LOG.log(System.Logger.Level.WARNING, "LIM05 {0}", LogText.of(line));
    }

    private static void refuse(List<UnknownName> problems) {
        List<String> mistakes = problems.stream()
                .filter(UnknownName::isMistake)
                .map(problem -> problem.line() + IF_SHARED)
                .toList();
        if (!mistakes.isEmpty()) {
            throw new RateLimitDeploymentException(mistakes);
        }
    }
}
