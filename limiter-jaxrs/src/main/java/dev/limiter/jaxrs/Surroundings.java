package dev.limiter.jaxrs;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Optional;

/** What is around the library, none of it required: CDI, a servlet container. */
final class Surroundings {
    private Surroundings() {}

    static boolean hasServlets() {
        return isPresent("jakarta.servlet.ServletContext");
    }

    /**
     * The CDI bean of a type; empty without CDI and without such a bean.
     *
     * @throws RateLimitDeploymentException if several could be meant
     */
    static <T> Optional<T> bean(Class<T> type) {
        return isPresent("jakarta.enterprise.inject.spi.CDI") ? Beans.find(type) : Optional.empty();
    }

    /** The context path, if this is a servlet context; else empty. */
    static String contextPathOf(Object application) {
        return hasServlets() && application instanceof ServletContext context ? context.getContextPath() : "";
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Surroundings.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /** Apart, so that its types are asked for only where they are. */
    private static final class Beans {
        static <T> Optional<T> find(Class<T> type) {
            CDI<Object> container;
            try {
                container = CDI.current();
            } catch (IllegalStateException notRunning) {
                return Optional.empty();
            }
            Instance<T> bean = container.select(type);
            if (bean.isAmbiguous()) {
                throw new RateLimitDeploymentException(List.of("There are several CDI beans of type " + type.getName()
                        + "; leave one, or make one an alternative"));
            }
            return bean.isUnsatisfied() ? Optional.empty() : Optional.of(bean.get());
        }
    }
}
