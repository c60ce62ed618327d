package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.Endpoint.Coverage;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lists the endpoints of one Jakarta REST application, and whether limits protect them. Mistakes
 * are left to {@link PlanReader}.
 *
 * @param policies others than those in force, since a class may never be used
 * @param application the class of the application
 * @param base the path of the application below the context path
 * @param exemptPaths need no limit
 */
record EndpointReader(
        PolicyRegistry policies, PlanReader plans, Class<?> application, String base, List<String> exemptPaths) {
    private static final Comparator<Endpoint> ORDER =
            Comparator.comparing(Endpoint::path).thenComparing(Endpoint::method).thenComparing(Endpoint::handler);

    EndpointReader(PolicyRegistry policies, Class<?> application, String base, List<String> exemptPaths) {
        this(policies, new PlanReader(policies, application, false), application, base, exemptPaths);
    }

    /** The endpoints of root resources, of what their locators name, and of builders; each once. */
    List<Endpoint> read(ResourceWalk walk, List<BuiltEndpoint> built) {
        Set<Endpoint> found = new LinkedHashSet<>();
        for (ResourceWalk.Stop stop : walk.stops()) {
            try {
                List<Endpoint> ofClass = new ArrayList<>();
                for (Method method : ResourceMethods.of(stop.type())) {
                    String path = whole(stop.path(), ResourceMethods.path(method));
                    ofClass.addAll(endpoints(path, verbs(method), stop.type(), method, !stop.isConcrete()));
                }
                found.addAll(ofClass);
            } catch (LinkageError | TypeNotPresentException unusable) {
                // The class names types that do not exist, so it is never used here.
            }
        }
        walk.unknown().forEach(locator -> found.add(endpoint(locator)));
        built.forEach(each ->
                found.addAll(endpoints(whole(each.path()), List.of(each.verb()), each.type(), each.method(), false)));
        return found.stream().sorted(ORDER).toList();
    }

    /** The endpoints of methods that the walk did not find; a path is known if a root has it. */
    List<Endpoint> readOthers(Class<?> type, List<Method> methods) {
        boolean root = ResourceMethods.pathOf(type) != null;
        return methods.stream()
                .flatMap(method -> {
                    boolean known = root && !ResourceMethods.isByBuilder(type, method);
                    String path = known ? whole(PathParameterValidator.path(type, method)) : "";
                    return endpoints(path, verbs(method), type, method, false).stream();
                })
                .sorted(ORDER)
                .toList();
    }

    private String whole(String... parts) {
        return '/' + ResourceWalk.path(base, ResourceWalk.path(parts));
    }

    private boolean needsNone(String path) {
        return exemptPaths.stream().anyMatch(each -> (path + '/').startsWith(each + '/'));
    }

    private static List<String> verbs(Method method) {
        List<String> verbs = ResourceMethods.verbs(method).toList();
        return verbs.isEmpty() ? List.of("") : verbs;
    }

    /** @param whole the path; empty if it is not known */
    private List<Endpoint> endpoints(
            String whole, List<String> verbs, Class<?> type, Method method, boolean implementedElsewhere) {
        List<String> problems = new ArrayList<>();
        Plan plan = plans.read(type, method, problems);
        List<Limit> limits = Stream.concat(plans.beforeMatching().limits().stream(), plan.limits().stream())
                .toList();
        Coverage coverage = problems.isEmpty()
                ? coverage(limits, plans.isExempt(type, method) || needsNone(whole), policies)
                : Coverage.LIMITED; // by a wrong declaration, which fails the deployment itself
        Coverage known = implementedElsewhere && coverage == Coverage.UNLIMITED ? Coverage.UNKNOWN : coverage;
        String handler = DeclarationSite.of(type, method).shortName();
        return verbs.stream()
                .map(verb -> new Endpoint(verb, whole, handler, known, names(limits)))
                .toList();
    }

    /** A locator has the limits of the application, as what it returns will have. */
    private Endpoint endpoint(ResourceWalk.Locator locator) {
        String whole = whole(locator.path());
        boolean exempt = PlanReader.isExempt(application)
                || needsNone(whole)
                || !AnnotationFinder.on(locator.type(), locator.method())
                        .exemptions()
                        .isEmpty();
        Coverage coverage = coverage(plans.ofApplication(), exempt, policies);
        return new Endpoint(
                "",
                whole,
                DeclarationSite.of(locator.type(), locator.method()).shortName(),
                coverage == Coverage.UNLIMITED ? Coverage.UNKNOWN : coverage,
                names(plans.ofApplication()));
    }

    /** Whether limits protect what has them. */
    static Coverage coverage(List<Limit> limits, boolean exempt, PolicyRegistry policies) {
        if (policies.enabled() && limits.stream().anyMatch(Limit::rejects)) {
            return Coverage.LIMITED;
        }
        if (!limits.isEmpty()) {
            return Coverage.NOT_REJECTING;
        }
        return exempt ? Coverage.EXEMPT : Coverage.UNLIMITED;
    }

    static List<String> names(List<Limit> limits) {
        return limits.stream().map(Limit::name).toList();
    }
}
