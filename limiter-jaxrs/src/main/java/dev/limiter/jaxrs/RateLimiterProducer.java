package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

/**
 * The limiter as a CDI bean, for the filter and for {@code @Inject RateLimiter}. An alternative bean of the application's own
 * replaces it.
 */
@Singleton
class RateLimiterProducer {
    private String contextPath = "";

    /** In a web application the event carries its servlet context; CDI offers no other portable way to it before a request. */
    void started(
            @Observes @Initialized(ApplicationScoped.class) @Priority(Interceptor.Priority.PLATFORM_BEFORE)
                    Object application) {
        contextPath = Surroundings.contextPathOf(application);
    }

    @Produces
    @Singleton
    RateLimiter limiter() {
        return Limiters.create(new MicroProfileSettings(), contextPath);
    }

    void close(@Disposes RateLimiter limiter) {
        limiter.close();
    }
}
