package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.jaxrs.RateLimitRejection;
import dev.limiter.jaxrs.StoreBreakerTransition;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Fires only CDI events that have a synchronous observer. A class of its own, so that the types
 * of CDI are loaded only where they exist. It keeps the event objects, so that it can fire on
 * any thread.
 *
 * @param rejections null if they have no synchronous observer
 * @param transitions null if they have no synchronous observer
 */
public record CdiEvents(Event<RateLimitRejection> rejections, Event<StoreBreakerTransition> transitions)
        implements RequestSignals {
    private static final Policy ANY = Policy.of("any", Algorithm.GCRA, 1, Duration.ofSeconds(1));

    /** The listeners of an application that has these beans. */
    public static Listeners listeners(Instance<Object> beans) {
        Optional<RequestSignals> events = of(beans.select(BeanManager.class).get());
        return Listeners.of(
                type -> Optional.of(beans.select(type))
                        .filter(Instance::isResolvable)
                        .map(Instance::get),
                events.stream().toArray(RequestSignals[]::new));
    }

    /** The signals; empty if there is no synchronous observer. */
    static Optional<RequestSignals> of(BeanManager beans) {
        CheckResult rejected = new CheckResult(ANY, false, 0, 1, 1, 1);
        Event<RateLimitRejection> rejections =
                observed(new RateLimitRejection(List.of(rejected), Duration.ofSeconds(1), false), beans);
        Event<StoreBreakerTransition> transitions = observed(new StoreBreakerTransition("any", false, ""), beans);
        boolean observed = rejections != null || transitions != null;
        return observed ? Optional.of(new CdiEvents(rejections, transitions)) : Optional.empty();
    }

    /** The event object for events like this one; null if they have no synchronous observer. */
    @SuppressWarnings("unchecked") // the class of a T that has no type parameters
    private static <T extends Record> Event<T> observed(T like, BeanManager beans) {
        boolean observed = beans.resolveObserverMethods(like).stream().anyMatch(observer -> !observer.isAsync());
        return observed ? beans.getEvent().select((Class<T>) like.getClass()) : null;
    }

    @Override
    public void decided(Decision decision, long nanos) {
        if (rejections != null && decision instanceof Decision.Rejected rejected) {
            rejections.fire(new RateLimitRejection(rejected.failing(), rejected.retryAfter(), rejected.fallback()));
        }
    }

    @Override
    public void slotWaitRejected(Decision.Rejected rejected) {
        decided(rejected, 0);
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        if (transitions != null) {
            transitions.fire(new StoreBreakerTransition(node, open, reason));
        }
    }
}
