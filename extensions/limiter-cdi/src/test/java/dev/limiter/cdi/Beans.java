package dev.limiter.cdi;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.internal.bootstrap.LimiterExtension;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.VirtualClock;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.time.Duration;

/** An application of some beans, whose limiter has a clock that the test moves. */
final class Beans implements AutoCloseable {
    private static VirtualClock clock;
    private static FailingStore store;

    private final SeContainer container;

    /** What the application has beside the beans of the test. */
    @ApplicationScoped
    static class Limiter {
        @Produces
        @ApplicationScoped
        RateLimiter limiter() {
            return store;
        }
    }

    Beans(Class<?>... types) {
        clock = new VirtualClock();
        store = new FailingStore(new LocalRateLimiter(clock));
        container = SeContainerInitializer.newInstance()
                .disableDiscovery()
                .addExtensions(new LimiterExtension())
                .addBeanClasses(Limiter.class)
                .addBeanClasses(types)
                .initialize();
    }

    <T> T get(Class<T> type) {
        return container.select(type).get();
    }

    void fire(Object event) {
        container.getBeanManager().getEvent().fire(event);
    }

    void passes(Duration span) {
        clock.advance(span.toNanos() / 1_000);
    }

    void storeFails(boolean fails) {
        store.fails = fails;
    }

    @Override
    public void close() {
        container.close();
    }
}
