package dev.limiter.jaxrs;

import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;

/**
 * Makes the limiter a CDI bean, for the filter and for {@code @Inject RateLimiter}, unless the application has a bean of that
 * type itself; then that one is used. And {@link RateLimits}, the limits of the request at hand.
 */
public final class LimiterExtension implements Extension {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private boolean applicationHasItsOwn;
    private String contextPath = "";

    /** For the CDI container. */
    public LimiterExtension() {}

    void found(@Observes ProcessBean<?> event) {
        applicationHasItsOwn |= event.getBean().getTypes().contains(RateLimiter.class);
    }

    /** What Jakarta REST never shows: a service that somebody thought to be limited. */
    void limited(
            @Observes @WithAnnotations({RateLimited.class, RateLimited.List.class}) ProcessAnnotatedType<?> event) {
        Warnings.ofBean(event.getAnnotatedType().getJavaClass())
                .ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    void add(@Observes AfterBeanDiscovery event) {
        if (!applicationHasItsOwn) {
            event.<RateLimiter>addBean()
                    .types(RateLimiter.class, Object.class)
                    .scope(ApplicationScoped.class)
                    .produceWith(beans -> Limiters.create(new MicroProfileSettings(), contextPath))
                    .disposeWith((limiter, beans) -> limiter.close());
        }
        event.<RateLimits>addBean()
                .types(RateLimits.class, Object.class)
                .scope(RequestScoped.class)
                .produceWith(beans -> new RequestLimits(Surroundings.currentAccount()));
    }

    /** In a web application the event carries its servlet context; CDI offers no other portable way to it before a request. */
    void started(
            @Observes @Initialized(ApplicationScoped.class) @Priority(Interceptor.Priority.PLATFORM_BEFORE)
                    Object application) {
        contextPath = Surroundings.contextPathOf(application);
    }
}
