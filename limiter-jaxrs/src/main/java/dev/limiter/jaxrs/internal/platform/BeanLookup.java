package dev.limiter.jaxrs.internal.platform;

import java.util.Optional;

/** Where beans are found that an application may have; without CDI nowhere. */
public interface BeanLookup {

    /** There is no CDI. */
    BeanLookup NONE = new BeanLookup() {
        @Override
        public <T> Optional<T> only(Class<T> type) {
            return Optional.empty();
        }
    };

    /** The bean of a type if there is exactly one. */
    <T> Optional<T> only(Class<T> type);
}
