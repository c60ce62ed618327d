package dev.limiter.jaxrs.internal.platform;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.cdi.LimiterExtension;
import dev.limiter.jaxrs.internal.request.RateLimitFilter;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.literal.NamedLiteral;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;

/** What is around the library, none of it required: CDI, a servlet container. */
public final class Platform {
    private Platform() {}

    public static boolean hasServlets() {
        return isPresent("jakarta.servlet.ServletContext");
    }

    /**
     * The CDI bean of a type; empty without CDI and without such a bean.
     *
     * @throws RateLimitDeploymentException if several could be meant
     */
    public static <T> Optional<T> bean(Class<T> type) {
        return hasCdi() ? CdiBeans.find(type) : Optional.empty();
    }

    /** The context path, if this is a servlet context; else empty. */
    public static String contextPathOf(Object application) {
        return hasServlets() && application instanceof ServletContext context ? context.getContextPath() : "";
    }

    /** Tells the beans of this application, if there are any, where it is. */
    public static void underContextPath(String path) {
        if (hasCdi()) {
            CdiBeans.underContextPath(path);
        }
    }

    /** Whether callers can be authenticated by a MicroProfile JWT. */
    public static boolean hasJwt() {
        return isPresent("org.eclipse.microprofile.jwt.JsonWebToken");
    }

    /** Whether there is Jakarta Expression Language. */
    public static boolean hasExpressions() {
        return isPresent("jakarta.el.ExpressionFactory");
    }

    /** Whether there is Micrometer. */
    public static boolean hasMicrometer() {
        return isPresent("io.micrometer.core.instrument.MeterRegistry");
    }

    /** Whether there is MicroProfile Health. */
    public static boolean hasHealth() {
        return isPresent("org.eclipse.microprofile.health.Readiness");
    }

    /** The CDI bean of a type and a name; empty without CDI and without such a bean. */
    public static <T> Optional<T> bean(Class<T> type, String name) {
        return hasCdi() ? CdiBeans.find(type, NamedLiteral.of(name)) : Optional.empty();
    }

    /** Whether it can be told which beans there are: CDI has started, or there is none. */
    public static boolean beansAreKnown() {
        return !hasCdi() || CdiBeans.areKnown();
    }

    private static boolean hasCdi() {
        return isPresent("jakarta.enterprise.inject.spi.CDI");
    }

    /**
     * The state of the current request, for a caller that has no reference to it.
     *
     * @throws IllegalStateException if it has not passed the filter, or there is no servlet container
     */
    public static RequestState currentAccount() {
        Object account = hasServlets() ? CdiBeans.attribute(RateLimitFilter.ACCOUNT) : null;
        if (account instanceof RequestState known) {
            return known;
        }
        throw new IllegalStateException(
                "there is no request here that has passed the limiter's filter; without a servlet"
                        + " container, or in a thread of your own, use RateLimits.of(requestContext)");
    }

    public static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Platform.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /** Apart, so that its types are asked for only where they are. */
    private static final class CdiBeans {
        static Object attribute(String name) {
            return CDI.current().select(HttpServletRequest.class).get().getAttribute(name);
        }

        static boolean areKnown() {
            try {
                CDI.current().getBeanManager();
                return true;
            } catch (IllegalStateException notRunning) {
                return false;
            }
        }

        static void underContextPath(String path) {
            try {
                CDI.current()
                        .getBeanManager()
                        .getExtension(LimiterExtension.class)
                        .under(path);
            } catch (IllegalStateException | IllegalArgumentException absent) {
                // CDI is not running, or not for this application: then there are no beans to be told.
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
                        + "; leave one, or make one an alternative"));
            }
            return bean.isUnsatisfied() ? Optional.empty() : Optional.of(bean.get());
        }
    }
}
