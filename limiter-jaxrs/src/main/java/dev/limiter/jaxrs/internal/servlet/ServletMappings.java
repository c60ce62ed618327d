package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.declaration.ResourceWalk;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.net.MalformedURLException;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where a servlet container has put servlets and applications of Jakarta REST. */
final class ServletMappings {
    private ServletMappings() {}

    /**
     * The path of an application of Jakarta REST: that of the servlet that has its name, or names
     * it. Empty if there is none yet.
     */
    static Optional<String> ofApplication(ServletContext context, Class<?> application) {
        String name = application.getName();
        return context.getServletRegistrations().values().stream()
                .filter(servlet -> name.equals(servlet.getName())
                        || name.equals(servlet.getInitParameter("jakarta.ws.rs.Application")))
                .map(ServletRegistration::getMappings)
                .filter(Objects::nonNull)
                .flatMap(Collection::stream)
                .sorted()
                .map(mapping -> mapping.replaceAll("/\\*$", ""))
                .findFirst();
    }

    /** Whether a servlet's class is the application's own, and not of a library or the server. */
    static boolean isOwn(ServletContext context, Class<?> servlet) {
        boolean rest = Stream.<Class<?>>iterate(servlet, Objects::nonNull, Class::getSuperclass)
                .anyMatch(ResourceWalk::isOfServer);
        try {
            String file = "/WEB-INF/classes/" + servlet.getName().replace('.', '/') + ".class";
            return !rest && context.getResource(file) != null;
        } catch (MalformedURLException noName) {
            return false;
        }
    }
}
