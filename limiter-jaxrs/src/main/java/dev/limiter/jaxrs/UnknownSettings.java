package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reports names of settings that nothing reads: at the start by failing the deployment, later in the log, each once. */
final class UnknownSettings {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    private static final String IF_SHARED =
            " (where services share this configuration, " + SettingNames.SHARED + "=true makes it a warning)";

    private Set<String> said = Set.of();
    private Set<String> judged = Set.of();
    private Set<String> judgedFor = Set.of();

    /**
     * Reports those of no policy.
     *
     * @throws RateLimitDeploymentException if there are any, unless services share the configuration
     */
    void checkAtStart(Settings settings) {
        check(settings);
        if (SettingNames.areShared(settings)) {
            warn(SettingNames.unknown(SettingNames.ours(settings)));
        }
    }

    /**
     * The same without a log.
     *
     * @throws RateLimitDeploymentException if there are any, unless services share the configuration
     */
    static void check(Settings settings) {
        if (!SettingNames.areShared(settings)) {
            refuse(SettingNames.unknown(SettingNames.ours(settings)));
        }
    }

    /**
     * Reports those of policies that are not there. Where services share the configuration, that is left to the first request.
     *
     * @param policies all that there are, each with the tiers that its annotation declares
     * @throws RateLimitDeploymentException if there are any, unless services share the configuration
     */
    static void checkPolicies(Settings settings, Map<String, Set<String>> policies) {
        if (!SettingNames.areShared(settings)) {
            refuse(SettingNames.unknownOfPolicies(SettingNames.ours(settings), policies));
        }
    }

    /** Logs all that were not there the last time. */
    synchronized void warn(Settings settings, Map<String, Set<String>> policies) {
        Set<String> ours = SettingNames.ours(settings);
        if (ours.equals(judged) && policies.keySet().equals(judgedFor)) {
            return;
        }
        judged = ours;
        judgedFor = policies.keySet();
        List<String> problems = new ArrayList<>(SettingNames.unknown(ours));
        problems.addAll(SettingNames.unknownOfPolicies(ours, policies));
        warn(problems);
    }

    private synchronized void warn(List<String> problems) {
        for (String problem : problems) {
            if (!said.contains(problem)) {
                LOG.log(System.Logger.Level.WARNING, "LIM05 {0}", problem);
            }
        }
        said = new HashSet<>(problems);
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(
                    problems.stream().map(problem -> problem + IF_SHARED).toList());
        }
    }
}
