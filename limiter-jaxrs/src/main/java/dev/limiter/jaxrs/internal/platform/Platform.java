package dev.limiter.jaxrs.internal.platform;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;

/** The optional environment of the library: CDI, a servlet container, other APIs. */
public final class Platform {
    private Platform() {}

    public static boolean hasServlets() {
        return isPresent("jakarta.servlet.ServletContext");
    }

    /**
     * The CDI bean of a type; empty without CDI and without such a bean.
     *
     * @throws RateLimitDeploymentException if there are several candidates
     */
    public static <T> Optional<T> bean(Class<T> type) {
        return hasCdi() ? CdiBeans.find(type) : Optional.empty();
    }

    /** The context path, if this is a servlet context; otherwise empty. */
    public static String contextPathOf(Object application) {
        return hasServlets() && application instanceof ServletContext context ? context.getContextPath() : "";
    }

    /** An attribute, if this is a servlet context; null if it is none, or lacks the attribute. */
    public static Object attributeOf(Object application, String name) {
        return hasServlets() && application instanceof ServletContext context ? context.getAttribute(name) : null;
    }

    /** The CDI bean of a type and a name; empty without CDI and without such a bean. */
    public static <T> Optional<T> bean(Class<T> type, String name) {
        return hasCdi() ? CdiBeans.find(type, NamedLiteral.of(name)) : Optional.empty();
    }

    /** That bean, looked up once: a proxy finds the instance of its scope. */
    public static <T> Lazy<T> namedBean(Class<T> type, String name) {
        return new Lazy<>(() ->
                bean(type, name).orElseThrow(() -> new IllegalStateException("the bean \"" + name + "\" is gone")));
    }

    /** Why there is no such bean, and what to do about it; empty if there is one. */
    public static Optional<String> whyNoBean(Class<?> type, String name) {
        if (bean(type, name).isPresent()) {
            return Optional.empty();
        }
        boolean runs = hasCdi() && CdiBeans.areKnown();
        return Optional.of("\"bean:" + name + "\" names no CDI bean of type " + type.getName() + "; "
                + (runs ? "write one" : "CDI does not run here: add it, and write one")
                + " with @Named(\"" + name + "\")");
    }

    /** Whether the beans are known: CDI has started, or there is none. */
    public static boolean beansAreKnown() {
        return !hasCdi() || CdiBeans.areKnown();
    }

    public static boolean hasCdi() {
        return isPresent("jakarta.enterprise.inject.spi.CDI");
    }

    /**
     * An attribute of the request that the current thread serves, by CDI; null if it is missing,
     * or the request is none of a servlet container.
     */
    public static Object currentRequestAttribute(String name) {
        return hasServlets() ? CdiBeans.attribute(name) : null;
    }

    public static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Platform.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /** A class of its own, so that the types of CDI are loaded only where they exist. */
    private static final class CdiBeans {
        static Object attribute(String name) {
            Instance<HttpServletRequest> request = CDI.current().select(HttpServletRequest.class);
            return request.isUnsatisfied() ? null : request.get().getAttribute(name);
        }

        static boolean areKnown() {
            try {
                CDI.current().getBeanManager();
                return true;
            } catch (IllegalStateException notRunning) {
                return false;
            }
        }

        static <T> Optional<T> find(Class<T> type, Annotation... qualifiers) {
            CDI<Object> container;
            try {
                container = CDI.current();
            } catch (IllegalStateException notRunning) {
                return Optional.empty();
            }
            Instance<T> bean = container.select(type, qualifiers);
            if (bean.isAmbiguous()) {
                throw new RateLimitDeploymentException(List.of("There are several CDI beans of type " + type.getName()
                        + "; keep one, or make one an alternative"));
            }
            return bean.isUnsatisfied() ? Optional.empty() : Optional.of(bean.get());
        }
    }
}
