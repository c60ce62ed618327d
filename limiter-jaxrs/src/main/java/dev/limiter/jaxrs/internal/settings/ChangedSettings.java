package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.Settings;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings with changes that operators have made, which win.
 *
 * @param changes values by the name of the setting
 */
public record ChangedSettings(Map<String, String> changes, Settings others) implements Settings {
    @Override
    public Optional<String> value(String name) {
        String changed = changes.get(name);
        return changed == null ? others.value(name) : Optional.of(changed);
    }

    @Override
    public Iterable<String> names() {
        Set<String> names = new LinkedHashSet<>(changes.keySet());
        others.names().forEach(names::add);
        return names;
    }
}
