package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.core.Configuration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings among the properties of a Jakarta REST application, such as those of
 * {@code ResourceConfig.property} or {@code Application.getProperties}. A value that is no text,
 * such as a number, counts as its {@code toString}.
 *
 * @param values by name; a value that is null is not set
 */
public record RestProperties(Map<String, String> values) {
    /** Those of an application without any. */
    public static final RestProperties NONE = new RestProperties(Map.of());

    /**
     * As a source of MicroProfile Config would have: more than the file in the application, less
     * than the environment and system properties.
     */
    static final int ORDINAL = 200;

    /** The settings among the properties of an application. */
    public static RestProperties of(Configuration application) {
        Map<String, String> values = new TreeMap<>();
        for (String name : application.getPropertyNames()) {
            Object value = application.getProperty(name);
            if (name.startsWith(SettingNames.PREFIX) && value != null) {
                values.put(name, value.toString());
            }
        }
        return values.isEmpty() ? NONE : new RestProperties(values);
    }

    /** The settings of other sources, with these at their place among them. */
    Settings with(OrdinalSettings others) {
        if (values.isEmpty()) {
            return others;
        }
        return new Settings() {
            @Override
            public Iterable<String> names() {
                Set<String> names = new TreeSet<>(values.keySet());
                others.names().forEach(names::add);
                return names;
            }

            @Override
            public Optional<String> value(String name) {
                return decide(name, others) ? RestProperties.this.value(name) : others.value(name);
            }
        };
    }

    /** Whether a setting is set here, and by no source that stands before these properties. */
    private boolean decide(String name, OrdinalSettings others) {
        return values.containsKey(name) && !others.winsOverRest(name);
    }

    /** The value; empty if it is blank. */
    private Optional<String> value(String name) {
        String value = values.get(name);
        if (value.contains("${")) {
            throw new InvalidSettingException(name, "has a \"${\", which nothing replaces here; write the value");
        }
        return Optional.of(value).filter(text -> !text.isBlank());
    }

    /**
     * The error of settings that cannot be used. Each line that begins with the name of one that
     * is set here says so.
     */
    RuntimeException named(RuntimeException wrong, OrdinalSettings others) {
        List<String> lines = wrong.getMessage().lines().toList();
        List<String> named = lines.stream()
                .map(line -> decide(line.split(": ", 2)[0], others) ? line + " (a property of Jakarta REST)" : line)
                .toList();
        return named.equals(lines) ? wrong : new RateLimitDeploymentException(named);
    }
}
