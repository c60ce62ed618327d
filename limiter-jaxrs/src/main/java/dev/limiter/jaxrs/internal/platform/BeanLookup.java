package dev.limiter.jaxrs.internal.platform;

import java.util.Optional;

/** Finds optional beans of an application; finds none without CDI. */
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
