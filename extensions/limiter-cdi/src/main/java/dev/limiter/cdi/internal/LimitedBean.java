package dev.limiter.cdi.internal;

import dev.limiter.RateLimitExempt;
import dev.limiter.jaxrs.internal.declaration.AnnotationFinder;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.TypeArguments;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Plan;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The class of a bean: its methods with limits, and those whose limits would never be asked. */
record LimitedBean(Class<?> type) {
    /** By name, since some may be absent. */
    private static final Set<String> OF_CONTAINER = Set.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "jakarta.inject.Inject",
            "jakarta.interceptor.AroundInvoke");

    /** Whether the class, or one of its super types, carries a limit anywhere. */
    boolean isLimited() {
        return TypeArguments.withSuperTypes(type).stream()
                .flatMap(each -> Stream.<AnnotatedElement>concat(Stream.of(each), Stream.of(each.getDeclaredMethods())))
                .anyMatch(LimitedBean::carriesLimits);
    }

    private static boolean carriesLimits(AnnotatedElement element) {
        return !AnnotationFinder.written(element).limits().isEmpty();
    }

    /** Its methods that have limits, those of super types included, in a fixed order. */
    List<Method> methods() {
        boolean all = !AnnotationFinder.on(type).limits().isEmpty();
        TypeArguments arguments = TypeArguments.of(type);
        Map<List<?>, Method> bySignature = new LinkedHashMap<>();
        declared(method -> !isHelper(method))
                .forEach(method ->
                        bySignature.putIfAbsent(List.of(method.getName(), List.of(arguments.typesOf(method))), method));
        return bySignature.values().stream()
                .filter(method -> !isOfObject(method))
                .filter(method -> !AnnotationFinder.on(type, method).limits().isEmpty()
                        || all && ofContainer(method).isEmpty())
                .toList();
    }

    private Stream<Method> declared(Predicate<Method> kind) {
        return TypeArguments.withSuperTypes(type).stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()).sorted(Comparator.comparing(Method::toString)))
                .filter(method -> !method.isSynthetic() && !Modifier.isAbstract(method.getModifiers()))
                .filter(method -> !isOfJdk(method) && kind.test(method));
    }

    private static boolean isHelper(Method method) {
        return (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) != 0;
    }

    /** Whether it comes with an interface such as {@code Iterable}, which nobody can annotate. */
    private static boolean isOfJdk(Method method) {
        return method.isDefault() && method.getDeclaringClass().getName().startsWith("java.");
    }

    private static boolean isOfObject(Method method) {
        return Stream.of(Object.class.getDeclaredMethods())
                .anyMatch(each -> each.getName().equals(method.getName())
                        && List.of(each.getParameterTypes()).equals(List.of(method.getParameterTypes())));
    }

    /**
     * The plans of its methods; none for a method that {@link RateLimitExempt} spares.
     *
     * @param problems takes a line for each wrong declaration
     */
    Map<Method, Plan> plans(PlanReader reader, List<String> problems) {
        Map<Method, Plan> plans = new LinkedHashMap<>();
        for (Method method : methods()) {
            Plan plan = reader.read(type, method, problems);
            if (!plan.isEmpty()) {
                plans.put(method, plan);
                new CallRules(type, method, plan, problems).check();
            }
        }
        return plans;
    }

    /** Reports limits that would never be asked, because CDI does not intercept the method. */
    void reportMissed(List<String> problems) {
        List<Method> limited = methods();
        if (Modifier.isFinal(type.getModifiers())) {
            problems.add("@RateLimited on " + DeclarationSite.of(type).shortName()
                    + ": the class is final, so CDI intercepts no call of it; remove final");
            return;
        }
        declared(method -> limited.contains(method) || isHelper(method) && carriesLimits(method))
                .forEach(method -> {
                    String why = whyMissed(method);
                    if (why != null) {
                        problems.add("@RateLimited on "
                                + DeclarationSite.of(type, method).shortName() + ": " + why);
                    }
                });
    }

    private String whyMissed(Method method) {
        int modifiers = method.getModifiers();
        String never = Modifier.toString(modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL));
        boolean ofPackage = (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0;
        if (!never.isEmpty()) {
            return "CDI intercepts no " + never + " method; remove " + never;
        }
        if (ofPackage && !method.getDeclaringClass().getPackage().equals(type.getPackage())) {
            return "CDI intercepts no method of a super class of another package that is neither public nor protected;"
                    + " make it public";
        }
        if (isBridged(method)) {
            return "not each CDI intercepts a public method of a class that is not; make "
                    + method.getDeclaringClass().getSimpleName() + " public, or override it in " + type.getSimpleName();
        }
        if (method.isDefault()) {
            return "not each CDI intercepts a default method; override it in " + type.getSimpleName();
        }
        return ofContainer(method)
                .map(annotation -> "CDI calls what is annotated with @" + annotation.getSimpleName()
                        + " itself, and intercepts no such call; limit the methods that callers use")
                .orElse(null);
    }

    /** Whether the compiler has written a method for it into a public class that extends its own. */
    private boolean isBridged(Method method) {
        return TypeArguments.withSuperTypes(type).stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .anyMatch(each -> each.isBridge()
                        && each.getName().equals(method.getName())
                        && each.getReturnType() == method.getReturnType()
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()));
    }

    /** The annotation by which CDI itself calls a method; empty for one that callers use. */
    private static Optional<Class<? extends Annotation>> ofContainer(Method method) {
        return Stream.of(method.getAnnotations())
                .<Class<? extends Annotation>>map(Annotation::annotationType)
                .filter(annotation -> OF_CONTAINER.contains(annotation.getName()))
                .findFirst();
    }
}
