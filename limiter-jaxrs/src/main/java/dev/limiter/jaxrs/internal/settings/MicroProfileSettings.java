package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Settings from MicroProfile Config: system properties, environment,
 * {@code META-INF/microprofile-config.properties}. The properties of Jakarta REST stand before
 * that file.
 */
public final class MicroProfileSettings implements Settings {
    private final RestProperties properties;

    private MicroProfileSettings(RestProperties properties) {
        this.properties = properties;
    }

    /**
     * The settings of the application, without properties of Jakarta REST.
     *
     * @throws InvalidSettingException if the file cannot be used
     * @throws RateLimitDeploymentException if other settings cannot be used either, with all
     */
    public static Settings ofApplication() {
        return ofApplication(RestProperties.NONE);
    }

    /**
     * The settings of the application: these, and those of the file that they name, which win.
     *
     * @throws InvalidSettingException if the file cannot be used
     * @throws RateLimitDeploymentException if other settings cannot be used either, with all
     */
    public static Settings ofApplication(RestProperties properties) {
        Settings settings = new MicroProfileSettings(properties);
        try {
            return WatchedFile.over(settings);
        } catch (InvalidSettingException file) {
            Set<String> problems = new TreeSet<>(SettingsCheck.problems(settings));
            problems.add(file.getMessage());
            if (problems.size() == 1) {
                throw file;
            }
            throw new RateLimitDeploymentException(List.copyOf(problems));
        }
    }

    /**
     * Asks the sources, too: the names of the configuration as a whole may be those of the
     * start.
     */
    @Override
    public Iterable<String> names() {
        Config config = ConfigProvider.getConfig();
        Set<String> names = new TreeSet<>(properties.names());
        config.getPropertyNames().forEach(names::add);
        for (ConfigSource source : config.getConfigSources()) {
            names.addAll(source.getPropertyNames());
        }
        return names;
    }

    /**
     * @throws dev.limiter.spi.InvalidSettingException if it has a variable that is not set.
     *     MicroProfile Config would say that the setting is not there
     */
    @Override
    public Optional<String> value(String name) {
        if (properties.decide(name)) {
            return properties.value(name);
        }
        Config config = ConfigProvider.getConfig();
        ConfigValue read = config.getConfigValue(name);
        Variables.requireAllSet(
                name, read, variable -> config.getConfigValue(variable).getRawValue());
        return Optional.ofNullable(read.getValue()).filter(text -> !text.isBlank());
    }
}
