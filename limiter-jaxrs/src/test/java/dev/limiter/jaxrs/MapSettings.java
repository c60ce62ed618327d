package dev.limiter.jaxrs;

import dev.limiter.spi.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Configuration that a test sets, and changes: {@code new
 * MapSettings().with("limiter.policy.buyer.limit", "50")}.
 */
public final class MapSettings implements Settings {
    private final Map<String, String> values = new TreeMap<>();
    private volatile Path hangsIn;

    public MapSettings with(String name, String value) {
        values.put(name, value);
        return this;
    }

    public MapSettings without(String name) {
        values.remove(name);
        return this;
    }

    /**
     * From now on settings answer only after a byte was written to this pipe; with null, at
     * once.
     */
    public void hangsIn(Path pipe) {
        hangsIn = pipe;
    }

    @Override
    public Optional<String> value(String name) {
        if (hangsIn != null) {
            readToTheEnd(hangsIn);
        }
        return Optional.ofNullable(values.get(name)).filter(text -> !text.isBlank());
    }

    private static void readToTheEnd(Path pipe) {
        try {
            Files.readAllBytes(pipe);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Override
    public Iterable<String> names() {
        return List.copyOf(values.keySet());
    }
}
