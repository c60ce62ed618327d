package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Settings for one reading of all policies. Names are listed once, and not again for each
 * policy.
 */
public final class CachedSettings implements Settings {
    private final Settings settings;
    private List<String> names;

    public CachedSettings(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Optional<String> value(String name) {
        return settings.value(name);
    }

    @Override
    public Iterable<String> names() {
        if (names == null) {
            List<String> listed = new ArrayList<>();
            settings.names().forEach(listed::add);
            names = listed;
        }
        return names;
    }
}
