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
     * {@return the names of all settings that its sources can list} The environment spells them
     * differently.
     */
    default Iterable<String> names() {
        return List.of();
    }

    /**
     * {@return the application's own source of the store's credentials; empty if they come from
     * the settings or from a service of {@link java.util.ServiceLoader}}
     */
    default Optional<CredentialsSource> credentials() {
        return Optional.empty();
    }
}
