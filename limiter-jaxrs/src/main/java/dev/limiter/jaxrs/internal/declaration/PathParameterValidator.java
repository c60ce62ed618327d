package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Checks that the <code>{path:...}</code> of a key or a cost names a parameter of the method's
 * path.
 */
final class PathParameterValidator {
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\s*([\\w.-]+)");

    private PathParameterValidator() {}

    /**
     * Checks root resources only: a sub-resource also has the parameters of the locators that
     * lead to it.
     */
    static void check(
            Limit limit, Class<?> resourceClass, Method method, DeclarationSite place, List<String> problems) {
        String path = path(resourceClass, method);
        if (path != null) {
            report(limit, names(path), '"' + path + '"', place, problems);
        }
    }

    /** Checks a limit of a class: at least one of its methods must have the parameter. */
    static void checkAll(
            Limit limit, Class<?> resourceClass, List<Method> methods, DeclarationSite place, List<String> problems) {
        List<String> known = new ArrayList<>();
        for (Method method : methods) {
            String path = path(resourceClass, method);
            if (path == null) {
                return;
            }
            known.addAll(names(path));
        }
        report(limit, known.stream().distinct().toList(), "any path of the class", place, problems);
    }

    /** Reports all path parameters: a servlet has none. */
    static void reportNone(Limit limit, DeclarationSite place, List<String> problems) {
        report(limit, List.of(), "the path of a servlet", place, problems);
    }

    private static void report(
            Limit limit, List<String> known, String path, DeclarationSite place, List<String> problems) {
        report("key", limit.key().sources(), known, path, place, problems);
        report("cost", limit.cost().sources(), known, path, place, problems);
    }

    private static void report(
            String member,
            List<KeyValueSource> sources,
            List<String> known,
            String path,
            DeclarationSite place,
            List<String> problems) {
        for (KeyValueSource source : sources) {
            String parameter = source.parameter();
            if (source.is(Placeholder.PATH) && !known.contains(parameter)) {
                problems.add(place.address(member) + "no path parameter \"" + parameter + "\" in " + path + "; "
                        + Suggestions.suggest(parameter, known));
            }
        }
    }

    /** The whole path of a method of a root resource; null for another class. */
    static String path(Class<?> resourceClass, Method method) {
        Path onClass = ResourceMethods.pathOf(resourceClass);
        return onClass == null ? null : ResourceWalk.path(onClass.value(), ResourceMethods.path(method));
    }

    private static List<String> names(String path) {
        return TEMPLATE.matcher(path).results().map(name -> name.group(1)).toList();
    }
}
