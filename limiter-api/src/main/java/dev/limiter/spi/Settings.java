package dev.limiter.spi;

import java.util.List;
import java.util.Optional;

/** Configuration by name, such as {@code limiter.redis.uri}, from any source. */
@FunctionalInterface
public interface Settings {

    /**
     * {@return the value of a setting; empty if it is not set or blank}
     *
     * @param name of the setting, such as {@code limiter.redis.uri}
     */
    Optional<String> value(String name);

    /**
     * {@return the names of all settings that its sources can list; the environment has other
     * spellings of names}
     */
    default Iterable<String> names() {
        return List.of();
    }

    /**
     * {@return the source of the store's credentials, if the application has one of its own; empty
     * if the settings have them, or a service of {@link java.util.ServiceLoader}}
     */
    default Optional<CredentialsSource> credentials() {
        return Optional.empty();
    }
}
