package dev.limiter.queue.internal;

import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueues;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessBean;

/**
 * Makes the queues of the limiter a CDI bean, for {@code @Inject BoundedQueues}. A bean of that
 * type in the application takes its place.
 */
public final class QueueExtension implements Extension {
    private boolean applicationHasItsOwn;

    /** For the CDI container. */
    public QueueExtension() {}

    void found(@Observes ProcessBean<?> event) {
        applicationHasItsOwn |= event.getBean().getTypes().contains(BoundedQueues.class);
    }

    void add(@Observes AfterBeanDiscovery event) {
        if (!applicationHasItsOwn) {
            event.<BoundedQueues>addBean()
                    // As LimiterExtension.id: each WAR of an EAR has an instance of its own.
                    .id(BoundedQueues.class.getName() + " of "
                            + QueueExtension.class.getResource("QueueExtension.class"))
                    .types(BoundedQueues.class, Object.class)
                    .scope(ApplicationScoped.class)
                    .produceWith(beans ->
                            BoundedQueues.of(beans.select(RateLimiter.class).get()));
        }
    }
}
