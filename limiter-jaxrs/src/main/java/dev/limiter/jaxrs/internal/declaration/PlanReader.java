package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.Stage;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.form.FormEntity;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the {@link Plan} of a resource method: its limits of application, class and method, and
 * their problems.
 */
public final class PlanReader {
    private final LimitReader limits;
    private final Class<?> application;
    private final List<Limit> ofApplication;

    /**
     * @param application the class of the Jakarta REST application, whose limits all its methods
     *     have
     * @throws RateLimitDeploymentException if a limit of the application is wrong
     */
    public PlanReader(PolicyRegistry policies, Class<?> application) {
        this(policies, application, true);
    }

    /**
     * @param application the class of the Jakarta REST application, whose limits all its methods
     *     have
     * @param beansAreThere whether CDI has started, so that a bean that cannot be found is a
     *     mistake
     * @throws RateLimitDeploymentException if a limit of the application is wrong
     */
    PlanReader(PolicyRegistry policies, Class<?> application, boolean beansAreThere) {
        this(policies, application, false, beansAreThere);
    }

    private PlanReader(PolicyRegistry policies, Class<?> application, boolean ofCalls, boolean beansAreThere) {
        this.limits = new LimitReader(policies, ofCalls, beansAreThere);
        this.application = application;
        List<String> problems = new ArrayList<>();
        AnnotationFinder.Written written = AnnotationFinder.on(application);
        this.ofApplication = limits.read(written, DeclarationSite.of(application), true, problems);
        reportExemptionInVain(written, DeclarationSite.of(application), problems);
        SettingsCheck.refuse(problems);
    }

    /**
     * A reader for the methods of beans that answer no requests.
     *
     * @param beansAreThere as above
     */
    public static PlanReader ofCalls(PolicyRegistry policies, boolean beansAreThere) {
        return new PlanReader(policies, Object.class, true, beansAreThere);
    }

    /** The limits that every request meets before it is matched. */
    Plan beforeMatching() {
        return plan(application.getName(), FormEntity.UNKNOWN, false, at(Stage.BEFORE_MATCHING, true));
    }

    /**
     * The plans of some methods of a class, and all problems of the class.
     *
     * @param methods that answer requests
     * @param problems takes a line for each wrong declaration; the plans are of use only if none
     *     was added
     */
    Map<Method, Plan> readAll(Class<?> resourceClass, List<Method> methods, List<String> problems) {
        Map<Method, Plan> plans = new LinkedHashMap<>();
        for (Method each : methods) {
            plans.put(each, read(resourceClass, each, problems));
        }
        checkPaths(resourceClass, methods, problems);
        for (Method each : ResourceMethods.othersOf(resourceClass)) {
            reportLimitInVain(resourceClass, each, problems);
        }
        return plans;
    }

    /**
     * @param problems takes a line for each wrong declaration; the plan is of use only if none
     *     was added
     */
    public Plan read(Class<?> resourceClass, Method method, List<String> problems) {
        DeclarationSite onMethod = DeclarationSite.of(resourceClass, method);
        AnnotationFinder.Written ofClass = AnnotationFinder.on(resourceClass);
        AnnotationFinder.Written ofMethod = AnnotationFinder.on(resourceClass, method);
        List<Limit> classLimits = limits.read(ofClass, DeclarationSite.of(resourceClass), false, problems);
        List<Limit> methodLimits = limits.read(ofMethod, onMethod, false, problems);
        for (Limit limit : methodLimits) {
            PathParameterValidator.check(limit, resourceClass, method, onMethod, problems);
        }
        List<Limit> inherited = at(Stage.BEFORE_MATCHING, false);
        List<Limit> early = at(Stage.BEFORE_MATCHING, true);
        inherited = notExempt(ofClass, DeclarationSite.of(resourceClass), inherited, early, problems);
        inherited.addAll(classLimits);
        inherited = notExempt(ofMethod, onMethod, inherited, early, problems);
        inherited.addAll(methodLimits);
        List<Limit> ofRequest = new ArrayList<>(early);
        ofRequest.addAll(inherited);
        reportConflicts(ofRequest, onMethod, problems);
        FormEntity entity = FormEntity.of(TypeArguments.of(resourceClass).typesOf(method));
        return plan(onMethod.identity(), entity, ResourceMethods.answersOptions(method), inherited);
    }

    /**
     * The limits that an element's {@code @RateLimitExempt} leaves, in a list that can grow. It
     * exempts from all limits further out, or from those of some names; a name that none of them
     * has is a problem.
     *
     * @param early the limits that are decided before matching, when the filter knows no
     *     exemption
     */
    private static List<Limit> notExempt(
            AnnotationFinder.Written written,
            DeclarationSite place,
            List<Limit> limits,
            List<Limit> early,
            List<String> problems) {
        List<RateLimitExempt> exemptions = written.exemptions();
        if (exemptions.isEmpty()) {
            return new ArrayList<>(limits);
        }
        if (exemptions.stream().anyMatch(each -> each.value().length == 0)) {
            return new ArrayList<>();
        }
        Set<String> names = new LinkedHashSet<>();
        exemptions.forEach(each -> names.addAll(List.of(each.value())));
        List<String> known = limits.stream().map(Limit::name).toList();
        for (String name : names) {
            if (early.stream().anyMatch(limit -> limit.name().equals(name))) {
                problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                        + "\" is decided before matching, when this place is not known; leave it out, or give the limit"
                        + " a later stage");
            } else if (!known.contains(name)) {
                problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                        + "\" names no limit of the class or the application; " + Suggestions.suggest(name, known));
            }
        }
        List<Limit> left = new ArrayList<>(limits);
        left.removeIf(limit -> names.contains(limit.name()));
        return left;
    }

    /** Checks the path parameters that limits of the class count on. */
    private void checkPaths(Class<?> resourceClass, List<Method> methods, List<String> problems) {
        DeclarationSite place = DeclarationSite.of(resourceClass);
        for (Limit limit : limits.read(AnnotationFinder.on(resourceClass), place, false, new ArrayList<>())) {
            PathParameterValidator.checkAll(limit, resourceClass, methods, place, problems);
        }
    }

    /** The plan of a servlet, whose class carries its limits. */
    public Plan read(Class<?> servlet, List<String> problems) {
        DeclarationSite place = DeclarationSite.of(servlet);
        AnnotationFinder.Written written = AnnotationFinder.on(servlet);
        List<Limit> found = limits.read(written, place, false, problems);
        reportExemptionInVain(written, place, problems);
        found.forEach(limit -> PathParameterValidator.reportNone(limit, place, problems));
        for (Method each : servlet.getDeclaredMethods()) {
            if (!AnnotationFinder.written(each).isNothing()) {
                problems.add(
                        "@RateLimited on " + DeclarationSite.of(servlet, each).shortName()
                                + ": a servlet is limited as a whole; annotate the class");
            }
        }
        reportConflicts(found, place, problems);
        return plan(servlet.getName(), FormEntity.NOT_TAKEN, answersOptions(servlet), found);
    }

    /** Whether a servlet does not leave OPTIONS to its super class of the servlet API. */
    private static boolean answersOptions(Class<?> servlet) {
        return Stream.<Class<?>>iterate(
                        servlet, type -> type != null && !type.getName().startsWith("jakarta."), Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .anyMatch(method ->
                        method.getName().equals("service") || method.getName().equals("doOptions"));
    }

    /**
     * A limit on a method that answers no requests would never be asked, so it is an error. An
     * exemption may say of a locator that what it returns is not limited on purpose.
     */
    private void reportLimitInVain(Class<?> resourceClass, Method method, List<String> problems) {
        AnnotationFinder.Written written = AnnotationFinder.written(method);
        boolean onPurpose = written.limits().isEmpty() && ResourceMethods.isUnknownLocator(method);
        if (!written.isNothing() && !onPurpose) {
            problems.add((written.limits().isEmpty() ? "@RateLimitExempt" : "@RateLimited") + " on "
                    + DeclarationSite.of(resourceClass, method).shortName()
                    + (ResourceMethods.isHidden(method)
                            ? ": the method is not public, so no request reaches it; make it public"
                            : ": the method answers no requests itself; annotate a"
                                    + " resource method, or for a locator the class that it returns"));
        }
    }

    /**
     * Makes a plan, tells each of its policies what stands beside it, and marks those whose units
     * may come back. Units come back from responses that do not count, and from settlements by
     * the method. They also come back from limits that are asked together, if one rejects in
     * another slot or finds no thread to wait on.
     */
    private static Plan plan(String endpoint, FormEntity formEntity, boolean answersOptions, List<Limit> limits) {
        Plan plan = new Plan(endpoint, formEntity, answersOptions, limits);
        for (Limit limit : limits) {
            limit.policy().standsBeside(DeclarationWarnings.countingTheSame(limit, plan));
            if (!limit.countOn().isAll()
                    || limit.isOfMethod()
                    || plan.at(limit.stage()).size() > 1) {
                limit.policy().becomeRefundable();
            }
        }
        return plan;
    }

    private List<Limit> at(Stage stage, boolean wanted) {
        return new ArrayList<>(ofApplication.stream()
                .filter(limit -> (limit.stage() == stage) == wanted)
                .toList());
    }

    /**
     * Reports an exemption on an application or a servlet that names limits, or stands beside
     * some: there is no outer limit. Alone it says that there is no limit on purpose.
     */
    private static void reportExemptionInVain(
            AnnotationFinder.Written written, DeclarationSite place, List<String> problems) {
        boolean named = written.exemptions().stream().anyMatch(each -> each.value().length > 0);
        if (named || !written.exemptions().isEmpty() && !written.limits().isEmpty()) {
            problems.add("@RateLimitExempt on " + place.shortName()
                    + ": there is no outer limit to exempt it from; remove it, or, if it shall have no limit on purpose,"
                    + " write it without a name and without @RateLimited");
        }
    }

    /** Whether an exemption says that a method has no limit on purpose. */
    boolean isExempt(Class<?> resourceClass, Method method) {
        return isExempt(application)
                || isExempt(resourceClass)
                || !AnnotationFinder.on(resourceClass, method).exemptions().isEmpty();
    }

    /** Whether an exemption of a servlet or an application says so. */
    public static boolean isExempt(Class<?> type) {
        return !AnnotationFinder.on(type).exemptions().isEmpty();
    }

    /** The limits that all requests of the application meet, whatever answers them. */
    List<Limit> ofApplication() {
        return ofApplication;
    }

    /** Reports what limits of one request cannot have together: a queue, or a name. */
    private static void reportConflicts(List<Limit> limits, DeclarationSite place, List<String> problems) {
        List<String> queues = limits.stream()
                .filter(limit -> limit.policy().declaration().algorithm().accepts(Algorithm.Member.MAX_WAIT))
                .map(Limit::name)
                .toList();
        if (queues.size() > 1) {
            problems.add(place.address("algorithm") + "a request can wait for one LEAKY_BUCKET only, and here are "
                    + queues.size() + ": " + String.join(", ", queues) + "; keep one");
        }
        Set<String> seen = new HashSet<>();
        for (Limit limit : limits) {
            if (!seen.add(limit.name())) {
                problems.add(place.address("name") + "\"" + limit.name()
                        + "\" names two limits of one request; a name is one bucket, give each a name of its own");
            }
        }
    }
}
