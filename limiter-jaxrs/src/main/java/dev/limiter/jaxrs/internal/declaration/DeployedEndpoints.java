package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.Endpoint.Coverage;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The endpoints of a web application, as far as it has started, and what becomes of those that
 * have neither a limit nor an exemption.
 */
public final class DeployedEndpoints {
    private final PolicyRegistry policies;
    private final RequireLimits required;
    private final List<String> exempt;
    private final Set<Class<?>> awaited = new LinkedHashSet<>();
    private final Map<String, ApplicationEndpoints> applications = new TreeMap<>();
    private Set<Class<?>> scanned = Set.of();
    private List<Endpoint> servlets;

    /**
     * @param policies those in force
     */
    public DeployedEndpoints(Settings settings, PolicyRegistry policies) {
        this.policies = policies;
        this.required = RequireLimits.SETTING.in(settings);
        this.exempt = RequireLimits.EXEMPT.in(settings);
    }

    /**
     * Takes the classes that the server has found, before any of them is used. What is certain
     * to be deployed may be refused now, when all servers still refuse it: the classes of an
     * application that lists none itself, and the servlets.
     *
     * @param own the classes of the web application
     * @param paths the path of each application, empty if it is not deployed
     * @param known the servlets that are known so far
     * @throws RateLimitDeploymentException if limits are required, and an endpoint has none
     */
    public synchronized void found(
            Set<Class<?>> own, Function<Class<?>, Optional<String>> paths, List<Endpoint> known) {
        scanned = Set.copyOf(own);
        Set<Endpoint> all = new LinkedHashSet<>(known);
        for (Class<?> application : applicationsOf(own)) {
            Optional<String> path = paths.apply(application);
            if (path.isEmpty()) {
                continue;
            }
            awaited.add(application);
            if (required == RequireLimits.FAIL && listsNothing(application)) {
                ResourceWalk walk = new ResourceWalk(
                        own.stream().filter(ResourceWalk::hasPathItself).toList());
                all.addAll(reader(application, path.get()).read(walk, List.of()));
            }
        }
        EndpointList.check(all, required);
    }

    /**
     * An application that starts.
     *
     * @param path below the context path
     * @param roots its root resources; null if it has all that the server has found
     * @param built what builders of resources made
     * @throws RateLimitDeploymentException if limits are required, and an endpoint has none
     */
    public synchronized ApplicationEndpoints started(
            Class<?> application, String path, Collection<Class<?>> roots, List<BuiltEndpoint> built) {
        Collection<Class<?>> all = roots == null ? scanned : roots;
        ApplicationEndpoints started = new ApplicationEndpoints(
                application, reader(application, path), new ResourceWalk(all), built, required);
        EndpointList.check(started.all(), required);
        awaited.removeIf(each -> each.isAssignableFrom(application));
        // Two objects of one class, such as ResourceConfig, are two applications; one that starts
        // again is the same.
        applications.put(
                all.stream()
                        .map(Class::getName)
                        .sorted()
                        .collect(Collectors.joining(" ", application.getName() + ' ' + path + ' ', "")),
                started);
        return started;
    }

    /**
     * The servlets of the application's own.
     *
     * @throws RateLimitDeploymentException if limits are required, and a servlet has none
     */
    public synchronized void servlets(List<Endpoint> own) {
        EndpointList.check(own, required);
        servlets = List.copyOf(own);
        if (!own.isEmpty()) {
            EndpointList.log("servlets", own, required);
        }
    }

    /** Whether limits protect a servlet, as in {@link Endpoint}. */
    public static Coverage coverage(Class<?> servlet, Plan plan, PolicyRegistry policies) {
        return EndpointReader.coverage(plan.limits(), PlanReader.isExempt(servlet), policies);
    }

    /**
     * All endpoints.
     *
     * @throws IllegalStateException if an application has not started
     */
    public synchronized List<Endpoint> all() {
        if (!awaited.isEmpty() || applications.isEmpty() && servlets == null) {
            throw new IllegalStateException("the endpoints are not known yet: Jakarta REST has not started"
                    + (awaited.isEmpty() ? "" : " " + awaited.iterator().next().getName())
                    + "; on some servers the first request to it starts it");
        }
        return Stream.concat(
                        applications.values().stream().flatMap(each -> each.all().stream()),
                        servlets == null ? Stream.of() : servlets.stream())
                .toList();
    }

    /** Whether no locator hides a class, which might have policies. */
    public synchronized boolean areKnown() {
        return applications.values().stream().allMatch(ApplicationEndpoints::areKnown);
    }

    private EndpointReader reader(Class<?> application, String path) {
        return new EndpointReader(policies.another(), application, path, exempt);
    }

    static List<Class<?>> applicationsOf(Set<Class<?>> classes) {
        List<Class<?>> found = new ArrayList<>(classes);
        found.removeIf(type -> !Application.class.isAssignableFrom(type) || !ResourceWalk.isConcrete(type));
        found.sort(Comparator.comparing(Class::getName));
        return found;
    }

    /** Whether an application leaves it to the server to find its classes. */
    private static boolean listsNothing(Class<?> application) {
        return Stream.of("getClasses", "getSingletons").allMatch(method -> {
            try {
                return application.getMethod(method).getDeclaringClass() == Application.class;
            } catch (NoSuchMethodException impossible) {
                return false;
            }
        });
    }
}
