package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings for one reading of all policies. Names are listed once, and not again for each
 * policy.
 */
public record CachedSettings(Settings settings, Lazy<List<String>> listed) implements Settings {

    public CachedSettings(Settings settings) {
        this(settings, new Lazy<>(() -> list(settings)));
    }

    private static List<String> list(Settings settings) {
        List<String> names = new ArrayList<>();
        settings.names().forEach(names::add);
        return names;
    }

    @Override
    public Optional<String> value(String name) {
        return settings.value(name);
    }

    @Override
    public Iterable<String> names() {
        return listed.get();
    }
}
