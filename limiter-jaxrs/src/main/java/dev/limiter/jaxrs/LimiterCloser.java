package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Closes the limiters of a web application without CDI when it ends; with CDI the container disposes of the bean. Found as an
 * initializer, since an annotated listener is not seen where a web.xml calls itself complete.
 */
public final class LimiterCloser implements ServletContainerInitializer {
    private static final String OPEN = "dev.limiter.open";

    /** For the servlet container. */
    public LimiterCloser() {}

    @Override
    public void onStartup(Set<Class<?>> none, ServletContext application) {
        Queue<RateLimiter> open = new ConcurrentLinkedQueue<>();
        application.setAttribute(OPEN, open);
        application.addListener(new ServletContextListener() {
            @Override
            public void contextDestroyed(ServletContextEvent event) {
                open.forEach(RateLimiter::close);
            }
        });
    }

    /** Closes a limiter together with the application. */
    @SuppressWarnings("unchecked") // the attribute is ours
    static void closeWith(ServletContext application, RateLimiter limiter) {
        if (application.getAttribute(OPEN) instanceof Queue<?> open) {
            ((Queue<RateLimiter>) open).add(limiter);
        }
    }
}
