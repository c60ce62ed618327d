package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.RateLimitRejection;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** GroupDecisions are fired as CDI events only if there is an observer. */
class CdiEventsTest {

    @Test
    void withoutAnObserverThereIsNoListener() {
        assertThat(CdiEvents.of(beans(Set.of()))).isEmpty();
    }

    /**
     * Events are fired on the thread of the request, so an asynchronous observer gets nothing.
     */
    @Test
    void anAsynchronousObserverIsNone() {
        assertThat(CdiEvents.of(beans(Set.of(observer(true))))).isEmpty();
    }

    @Test
    void anObserverOfOneEventIsEnough() {
        assertThat(CdiEvents.of(beans(Set.of(observer(false))))).isPresent();
    }

    /** Rejections have these observers, and transitions none. */
    private static BeanManager beans(Set<ObserverMethod<?>> ofRejections) {
        Event<?> event = answering(Event.class, (method, arguments) -> answering(Event.class, (of, none) -> null));
        return answering(BeanManager.class, (method, arguments) -> switch (method) {
            case "resolveObserverMethods" -> arguments[0] instanceof RateLimitRejection ? ofRejections : Set.of();
            case "getEvent" -> event;
            default -> throw new AssertionError(method);
        });
    }

    private static ObserverMethod<?> observer(boolean asynchronous) {
        return answering(ObserverMethod.class, (method, arguments) -> switch (method) {
            case "isAsync" -> asynchronous;
            case "hashCode" -> 1;
            default -> throw new AssertionError(method);
        });
    }

    private static <T> T answering(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, asked, arguments) -> answers.apply(asked.getName(), arguments)));
    }
}
