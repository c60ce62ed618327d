package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.jaxrs.internal.declaration.ApplicationUnwrapper.ofJersey;

import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * An endpoint that a builder of resources made, such as those of Spring Boot's actuator. No
 * annotation has its path; Jersey tells it.
 *
 * @param path from the application on
 * @param type what answers, by this method
 */
public record BuiltEndpoint(String verb, String path, Class<?> type, Method method) {

    /** Those of an application. Other servers than Jersey tell of none. */
    public static List<BuiltEndpoint> of(Application application) {
        List<BuiltEndpoint> found = new ArrayList<>();
        if (ApplicationUnwrapper.isWrapper(application)) {
            add(ofJersey(application, "getResources"), "", found);
        }
        return found;
    }

    private static void add(Object resources, String parent, List<BuiltEndpoint> found) {
        for (Object resource : (Collection<?>) resources) {
            Object own = ofJersey(resource, "getPath");
            String path = own == null ? parent : ResourceWalk.path(parent, own.toString());
            for (Object method : (Collection<?>) ofJersey(resource, "getResourceMethods")) {
                Object invocable = ofJersey(method, "getInvocable");
                found.add(new BuiltEndpoint(
                        (String) ofJersey(method, "getHttpMethod"),
                        path,
                        (Class<?>) ofJersey(ofJersey(invocable, "getHandler"), "getHandlerClass"),
                        (Method) ofJersey(invocable, "getHandlingMethod")));
            }
            add(ofJersey(resource, "getChildResources"), path, found);
        }
    }
}
