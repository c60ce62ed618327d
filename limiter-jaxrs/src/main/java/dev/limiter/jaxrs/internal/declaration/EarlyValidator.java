package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.settings.SettingNames;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads the limits of an application's classes before any of them is in force. Some servers
 * start Jakarta REST with the first request, or go on without it when it fails: a wrong
 * declaration has to be found before.
 */
public final class EarlyValidator {
    /** By name, since they may be absent. */
    static final Set<String> FILTERS_AND_SERVLETS = Set.of(
            "jakarta.servlet.Servlet",
            "jakarta.servlet.Filter",
            "jakarta.ws.rs.container.ContainerRequestFilter",
            "jakarta.ws.rs.container.ContainerResponseFilter");

    private static final Set<String> LIMITABLE_SERVLETS = Set.of("jakarta.servlet.http.HttpServlet");

    private final Settings settings;
    private final PolicyRegistry policies;
    /** The policies that were read, each with the tiers that its annotation declares. */
    private final Map<String, Set<String>> names = new TreeMap<>();

    private final Set<String> warnings = new TreeSet<>();
    /** Whether a locator does not name its class: there may be limits that were not read. */
    private boolean hasUnreadLocators;

    /**
     * @param policies those in force
     */
    public EarlyValidator(Settings settings, PolicyRegistry policies) {
        this.settings = settings;
        this.policies = policies;
    }

    /**
     * Checks the limits on these classes, as far as that is possible before CDI and Jakarta REST
     * start.
     *
     * @param classes of the application
     * @param others classes whose limits may be in force too; they are not checked
     * @return the servlets among the classes that have limits
     * @throws RateLimitDeploymentException with every problem of every class, or with the
     *     settings of unknown policies
     */
    public Set<Class<?>> check(Set<Class<?>> classes, Set<Class<?>> others) {
        checkLimits(classes, false);
        checkPlans(classes);
        Set<Class<?>> limitedServlets = checkServlets(classes);
        warnings.forEach(warning -> System.getLogger("dev.limiter.plan").log(System.Logger.Level.WARNING, warning));
        readLimits(others, false, new ArrayList<>());
        Map<String, Set<String>> known = new TreeMap<>(policies.names());
        boolean limitsAreShown = !known.keySet().containsAll(names.keySet());
        known.putAll(names);
        if (limitsAreShown && !hasUnreadLocators) {
            SettingsCheck.checkPolicies(settings, SettingNames.ours(settings), known);
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
            checkLimits(classes, true);
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

    /** Checks each limit by itself, as it is written. */
    private void checkLimits(Set<Class<?>> classes, boolean beansAreThere) {
        List<String> problems = new ArrayList<>();
        readLimits(classes, beansAreThere, problems);
        SettingsCheck.refuse(problems);
    }

    /**
     * Checks the limits of each endpoint together with those of its class and of the
     * application. Endpoints are those of root resources, and of the classes that their locators
     * name.
     */
    void checkPlans(Set<Class<?>> classes) {
        List<Class<?>> applications = DeployedEndpoints.applicationsOf(classes);
        List<Class<?>> candidates = applications.isEmpty() ? List.of(Application.class) : applications;
        Set<String> problems = problemsIn(candidates.get(0), classes);
        for (Class<?> application : candidates.subList(1, candidates.size())) {
            problems.retainAll(problemsIn(application, classes)); // which one has a class is known later
        }
        SettingsCheck.refuse(List.copyOf(problems));
    }

    /**
     * Checks the limits of each servlet together. Warns of filters, and of servlets that are no
     * {@code HttpServlet}, since no limit on them is asked. Returns the servlets that have limits.
     */
    private Set<Class<?>> checkServlets(Set<Class<?>> classes) {
        PlanReader plans = new PlanReader(policies.another(), Object.class, false);
        Set<Class<?>> limited = new HashSet<>();
        List<String> problems = new ArrayList<>();
        for (Class<?> type : inOrder(classes)) {
            try {
                if (TypeArguments.isAny(type, FILTERS_AND_SERVLETS)) {
                    DeclarationWarnings.ofBean(type).ifPresent(warnings::add);
                }
                if (ResourceWalk.isConcrete(type)
                        && TypeArguments.isAny(type, LIMITABLE_SERVLETS)
                        && !plans.read(type, problems).isEmpty()) {
                    limited.add(type);
                }
            } catch (LinkageError | TypeNotPresentException unusable) {
                // As below.
            }
        }
        SettingsCheck.refuse(problems);
        return limited;
    }

    /** The warnings about classes that no server shows: those with locators alone, and filters. */
    Set<String> warnings() {
        return warnings;
    }

    private void readLimits(Set<Class<?>> classes, boolean beansAreThere, List<String> problems) {
        PolicyRegistry read = policies.another();
        for (Class<?> type : inOrder(classes)) {
            try {
                boolean application = Application.class.isAssignableFrom(type);
                LimitReader limits = new LimitReader(read, DeclarationWarnings.isForCalls(type), beansAreThere);
                limits.read(AnnotationFinder.written(type), DeclarationSite.of(type), application, problems);
                for (Method method : type.getDeclaredMethods()) {
                    if (!method.isBridge()) {
                        limits.read(
                                AnnotationFinder.written(method), DeclarationSite.of(type, method), false, problems);
                    }
                }
            } catch (LinkageError | TypeNotPresentException unusable) {
                // The class names types that do not exist, so it is never used here.
            }
        }
        names.putAll(read.names());
    }

    private Set<String> problemsIn(Class<?> application, Set<Class<?>> classes) {
        PolicyRegistry read = policies.another();
        PlanReader plans = new PlanReader(read, application, false);
        List<String> problems = new ArrayList<>();
        ResourceWalk walk = new ResourceWalk(classes);
        hasUnreadLocators |= !walk.unknown().isEmpty();
        Set<Class<?>> seen = new HashSet<>();
        for (ResourceWalk.Stop stop : walk.stops()) {
            Class<?> type = stop.type();
            hasUnreadLocators |= !stop.isConcrete();
            try {
                if (stop.isConcrete() && seen.add(type)) {
                    plans.readAll(type, ResourceMethods.of(type), problems);
                    if (!ResourceMethods.isResource(type)) {
                        warnings.addAll(DeclarationWarnings.ofLocators(type));
                    }
                }
            } catch (LinkageError | TypeNotPresentException unusable) {
                // As above.
            }
        }
        names.putAll(read.names());
        return new LinkedHashSet<>(problems);
    }

    private static List<Class<?>> inOrder(Set<Class<?>> classes) {
        return classes.stream().sorted(Comparator.comparing(Class::getName)).toList();
    }
}
