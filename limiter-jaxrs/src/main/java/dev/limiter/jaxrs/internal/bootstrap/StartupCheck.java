package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.declaration.EarlyValidator;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks declarations before CDI and Jakarta REST start. It puts nothing in force.
 * A mistake found here fails the application on every server.
 *
 * @param lease how long a lease lasts without renewal
 * @param policies those in force
 */
public record StartupCheck(Settings settings, Duration lease, PolicyRegistry policies) {
    /**
     * Checks the limits on these classes, as far as that is possible before CDI
     * and Jakarta REST start.
     *
     * @param classes of the application
     * @param others classes whose limits may be in force too; they are not checked
     * @return the servlets among the classes that have limits
     * @throws RateLimitDeploymentException with every problem of every class, or with the
     *     settings of unknown policies
     */
    public Set<Class<?>> check(Set<Class<?>> classes, Set<Class<?>> others) {
        EarlyValidator check = declarations(false);
        check.checkLimits(classes);
        check.checkPlans(classes);
        Set<Class<?>> limitedServlets = check.checkServlets(classes);
        check.warnings()
                .forEach(warning -> System.getLogger("dev.limiter.plan").log(System.Logger.Level.WARNING, warning));
        check.learnNames(others);
        Map<String, Set<String>> names = new TreeMap<>(policies.names());
        names.putAll(check.names());
        boolean limitsAreShown =
                !policies.names().keySet().containsAll(check.names().keySet());
        if (limitsAreShown && !check.hasUnreadLocators()) {
            SettingsCheck.checkPolicies(settings, names);
        } // otherwise a class that is not seen here may have the policy: the first request warns
        return limitedServlets;
    }

    /**
     * Checks what is known after CDI has started: the beans that keys name.
     *
     * @throws RateLimitDeploymentException with every problem of every class
     */
    public void checkBeans(Set<Class<?>> classes) {
        if (Platform.beansAreKnown()) {
            declarations(true).checkLimits(classes);
        }
    }

    /**
     * Reports context parameters that begin like settings and that nothing reads.
     *
     * @throws RateLimitDeploymentException if there are any, unless services share the
     *     configuration
     */
    public void checkContextParameters(List<String> names) {
        SettingsCheck.checkContextParameters(settings, names);
    }

    private EarlyValidator declarations(boolean beansAreThere) {
        return new EarlyValidator(() -> new PolicyRegistry(settings, lease, System::nanoTime), beansAreThere);
    }
}
