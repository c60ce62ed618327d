package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/** Settings from MicroProfile Config: system properties, environment, {@code META-INF/microprofile-config.properties}. */
final class MicroProfileSettings implements Settings {
    @Override
    public Iterable<String> names() {
        return ConfigProvider.getConfig().getPropertyNames();
    }

    @Override
    public Optional<String> value(String name) {
        return ConfigProvider.getConfig().getOptionalValue(name, String.class).filter(text -> !text.isBlank());
    }
}
