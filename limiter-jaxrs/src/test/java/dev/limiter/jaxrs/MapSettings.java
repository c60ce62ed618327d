package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Configuration that a test sets, and changes: {@code new MapSettings().with("limiter.policy.buyer.limit", "50")}. */
final class MapSettings implements Settings {
    private final Map<String, String> values = new TreeMap<>();

    MapSettings with(String name, String value) {
        values.put(name, value);
        return this;
    }

    MapSettings without(String name) {
        values.remove(name);
        return this;
    }

    @Override
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name)).filter(text -> !text.isBlank());
    }

    @Override
    public Iterable<String> names() {
        return List.copyOf(values.keySet());
    }
}
