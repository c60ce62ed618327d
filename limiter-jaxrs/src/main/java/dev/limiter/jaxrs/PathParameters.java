package dev.limiter.jaxrs;

import jakarta.ws.rs.Path;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the <code>{path:...}</code> of a key names a parameter that the method's path has. */
final class PathParameters {
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\s*([\\w.-]+)");

    private PathParameters() {}

    /** Checks root resources only: a sub-resource also has the parameters of the locators that lead to it. */
    static void check(KeyExpression key, Class<?> resourceClass, Method method, Place place, List<String> problems) {
        Path onClass = resourceClass.getAnnotation(Path.class);
        if (onClass == null) {
            return;
        }
        Path onMethod = ResourceMethods.declaring(method).getAnnotation(Path.class);
        String path = onMethod == null ? onClass.value() : onClass.value() + "/" + onMethod.value();
        List<String> known = names(path);
        for (KeySource source : key.sources()) {
            String parameter = source.name().startsWith("path:") ? source.name().substring("path:".length()) : null;
            if (parameter != null && !known.contains(parameter)) {
                problems.add(place.address("key") + "no path parameter \"" + parameter + "\" in \"" + path + "\"; "
                        + Nearest.suggest(parameter, known));
            }
        }
    }

    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        Matcher matcher = TEMPLATE.matcher(path);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }
}
