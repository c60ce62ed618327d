package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.internal.form.FormEntity;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The methods of a class that answer requests. A method without any annotation of Jakarta REST
 * has those of the method that it overrides or implements.
 */
public final class ResourceMethods {
    private static final String JAKARTA_REST = "jakarta.ws.rs";

    private ResourceMethods() {}

    /** All resource methods of a class, in a fixed order, and the matched method in any case. */
    static List<Method> of(Class<?> resourceClass, Method matched) {
        return Stream.concat(of(resourceClass).stream(), Stream.of(matched))
                .distinct()
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    /** All resource methods of a class, in a fixed order. */
    public static List<Method> of(Class<?> resourceClass) {
        return inOrder(resourceClass.getMethods(), ResourceMethods::answersRequests);
    }

    private static List<Method> inOrder(Method[] methods, Predicate<Method> kind) {
        return Stream.of(methods)
                .filter(each -> !each.isBridge() && kind.test(each))
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    /** The path on the class, or on what it extends or implements, as servers find it. */
    static Path pathOf(Class<?> type) {
        return TypeArguments.withSuperTypes(type).stream()
                .map(each -> each.getAnnotation(Path.class))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The path of a method below that of its class; empty for none. */
    static String path(Method method) {
        Path path = declaring(method).getAnnotation(Path.class);
        return path == null ? "" : path.value();
    }

    /** The class that a locator returns, as far as it is declared. */
    static Class<?> subResource(Method locator) {
        return locator.getGenericReturnType() instanceof ParameterizedType generic
                        && generic.getRawType() == Class.class
                        && generic.getActualTypeArguments()[0] instanceof Class<?> type
                ? type
                : locator.getReturnType();
    }

    /** The methods of a class that return what answers the rest of a path, in a fixed order. */
    static List<Method> locators(Class<?> resourceClass) {
        return inOrder(resourceClass.getMethods(), ResourceMethods::isLocator);
    }

    /** Whether a method is a locator that does not name what it returns. */
    static boolean isUnknownLocator(Method method) {
        return isLocator(method) && !isSubResource(subResource(method));
    }

    private static boolean isLocator(Method method) {
        return !answersRequests(method) && declaring(method).isAnnotationPresent(Path.class);
    }

    /**
     * All methods that answer no requests themselves, such as locators, helpers, and non-public
     * methods, in a fixed order.
     */
    static List<Method> othersOf(Class<?> resourceClass) {
        return inOrder(
                resourceClass.getDeclaredMethods(),
                method -> !method.isSynthetic() && (!answersRequests(method) || isHidden(method)));
    }

    /**
     * The method that carries the annotations of Jakarta REST for this one: itself, or one of a
     * super type.
     */
    static Method declaring(Method method) {
        return overridden(method.getDeclaringClass(), method).stream()
                .filter(each -> Stream.of(each.getAnnotations()).anyMatch(ResourceMethods::isOfJakartaRest))
                .findFirst()
                .orElse(method);
    }

    /** Whether a class, or what it extends or implements, has a method that answers requests. */
    static boolean isResource(Class<?> type) {
        return TypeArguments.withSuperTypes(type).stream()
                .flatMap(each -> Stream.of(each.getMethods()))
                .anyMatch(ResourceMethods::answersRequests);
    }

    /** The same, or a locator. */
    static boolean isSubResource(Class<?> type) {
        return isResource(type) || !locators(type).isEmpty();
    }

    /**
     * Whether a method that is annotated to answer requests never gets one, since Jakarta REST
     * calls public methods only.
     */
    static boolean isHidden(Method method) {
        return answersRequests(method) && !Modifier.isPublic(method.getModifiers());
    }

    /** Whether a method answers {@code OPTIONS}. Without one, Jakarta REST does. */
    static boolean answersOptions(Method method) {
        return verbs(method).anyMatch(HttpMethod.OPTIONS::equals);
    }

    /**
     * Whether a method, which is no locator, answers requests without an annotation: a builder of
     * resources may say so. A server may also show a resource method as an interface has it.
     */
    static boolean isByBuilder(Class<?> resourceClass, Method matched) {
        return !declaring(matched).isAnnotationPresent(Path.class)
                && of(resourceClass).stream()
                        .noneMatch(each -> each.getName().equals(matched.getName())
                                && each.getParameterCount() == matched.getParameterCount());
    }

    private static boolean answersRequests(Method method) {
        return verbs(method).findAny().isPresent();
    }

    /** The HTTP methods that a method answers; none for a locator. */
    static Stream<String> verbs(Method method) {
        return Stream.of(declaring(method).getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(Objects::nonNull)
                .map(HttpMethod::value);
    }

    /**
     * The types of bodies other than forms that a method declares to take. A method that
     * declares no type takes any body if it has a parameter for the body.
     */
    static List<String> bodiesBesideForms(Class<?> resourceClass, Method method) {
        Method declaring = declaring(method);
        Consumes consumes = Stream.of(declaring, resourceClass)
                .map(element -> element.getAnnotation(Consumes.class))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (consumes == null) {
            return takesBody(resourceClass, declaring) ? List.of(MediaType.WILDCARD) : List.of();
        }
        return Stream.of(consumes.value())
                .flatMap(types -> Stream.of(types.split(",")))
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(type -> !type.equals(MediaType.APPLICATION_FORM_URLENCODED) && !type.startsWith("multipart/"))
                .toList();
    }

    /** Whether a parameter takes the body, other than as a form. */
    private static boolean takesBody(Class<?> resourceClass, Method method) {
        Class<?>[] types = TypeArguments.of(resourceClass).typesOf(method);
        Annotation[][] annotations = method.getParameterAnnotations();
        return FormEntity.of(types) == FormEntity.NOT_TAKEN
                && Stream.of(annotations).anyMatch(each -> Stream.of(each).noneMatch(ResourceMethods::isOfJakartaRest));
    }

    /**
     * The method as a type has it, and all that it overrides or implements there, in the order of
     * their types.
     */
    static List<Method> overridden(Class<?> type, Method method) {
        TypeArguments arguments = TypeArguments.of(type);
        return TypeArguments.withSuperTypes(type).stream()
                .flatMap(each -> Stream.of(each.getDeclaredMethods()))
                .filter(each -> !each.isBridge() && isOverridden(each, method, arguments))
                .toList();
    }

    /**
     * Whether a method is overridden. With a type parameter, the overridden method has another
     * signature, and an overload may look like it.
     */
    private static boolean isOverridden(Method candidate, Method method, TypeArguments arguments) {
        if (!candidate.getName().equals(method.getName())
                || candidate.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        return Arrays.equals(candidate.getParameterTypes(), method.getParameterTypes())
                || Arrays.equals(arguments.typesOf(candidate), arguments.typesOf(method));
    }

    private static boolean isOfJakartaRest(Annotation annotation) {
        return annotation.annotationType().getName().startsWith(JAKARTA_REST)
                || annotation.annotationType().isAnnotationPresent(HttpMethod.class);
    }
}
