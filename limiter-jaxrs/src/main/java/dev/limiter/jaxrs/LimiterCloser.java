package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** Closes the limiter of an application without CDI when it ends; with CDI, its bean is disposed of by the container. */
@WebListener
public final class LimiterCloser implements ServletContextListener {

    /** For the servlet container. */
    public LimiterCloser() {}

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        if (event.getServletContext().getAttribute(RateLimiter.class.getName()) instanceof RateLimiter limiter) {
            limiter.close();
        }
    }
}
