package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Settings from MicroProfile Config: system properties, environment,
 * {@code META-INF/microprofile-config.properties}, and what an implementation adds.
 */
public final class MicroProfileSettings implements OrdinalSettings {
    private static final String IMPLEMENTATION =
            "META-INF/services/org.eclipse.microprofile.config.spi.ConfigProviderResolver";

    private MicroProfileSettings() {}

    /**
     * The settings of the application: these, and those of the file that they name, which win.
     *
     * @throws InvalidSettingException if the file cannot be used
     * @throws RateLimitDeploymentException if other settings cannot be used either, with all
     */
    public static Settings ofApplication(RestProperties properties) {
        Settings settings = properties.with(sources());
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
     * The error of settings that cannot be used. Each line about a property of Jakarta REST says
     * so.
     */
    public static RuntimeException named(RestProperties properties, RuntimeException wrong) {
        if (properties.values().isEmpty()) {
            return wrong;
        }
        OrdinalSettings others;
        try {
            others = sources();
        } catch (RuntimeException unusable) {
            return wrong; // which says what is wrong with them
        }
        return properties.named(wrong, others);
    }

    /**
     * Refuses properties of Jakarta REST that come too late, because the limiter has started
     * without them. A property that changes nothing is not refused.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    public static void requireNotLate(RestProperties properties, Settings inForce) {
        if (properties.values().isEmpty()) {
            return;
        }
        refuseOthers(
                properties,
                ofApplication(properties),
                inForce,
                "Jakarta REST, which starts after the limiter here; write");
    }

    /**
     * Refuses an application that has other settings than the one whose limiter it shares.
     *
     * @param first the properties of the one that started first, which are in force
     * @throws RateLimitDeploymentException with all that differ
     */
    public static void requireSame(RestProperties first, Settings inForce, Settings asked) {
        refuseOthers(
                first,
                asked,
                inForce,
                "another application of Jakarta REST, whose limiter this one shares; set it for both, or write");
    }

    private static void refuseOthers(RestProperties properties, Settings asked, Settings inForce, String whose) {
        List<String> problems = properties.values().keySet().stream()
                .filter(name -> !asked.value(name).equals(inForce.value(name)))
                .map(name -> name + ": is a property of " + whose + " it into META-INF/microprofile-config.properties")
                .toList();
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(problems);
        }
    }

    /** What the implementation of MicroProfile Config reads, or the same without it. */
    static OrdinalSettings sources() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader application = context == null ? MicroProfileSettings.class.getClassLoader() : context;
        try {
            ConfigProvider.getConfig();
            return new MicroProfileSettings();
        } catch (IllegalStateException unusable) {
            if (application.getResource(IMPLEMENTATION) != null) {
                throw unusable; // such as two, which older versions of the API refuse
            }
            return new ClassPathSettings(application, System.getenv());
        }
    }

    /**
     * Asks the sources, too: the names of the configuration as a whole may be those of the
     * start.
     */
    @Override
    public Iterable<String> names() {
        Config config = ConfigProvider.getConfig();
        Set<String> names = new TreeSet<>();
        config.getPropertyNames().forEach(names::add);
        for (ConfigSource source : config.getConfigSources()) {
            names.addAll(source.getPropertyNames());
        }
        names.addAll(Variables.neededBy(names, MicroProfileSettings::text));
        return names;
    }

    @Override
    public int ordinal(String name) {
        return read(name).getSourceOrdinal();
    }

    /**
     * @throws dev.limiter.spi.InvalidSettingException if it has a variable that is not set.
     *     MicroProfile Config would say that the setting is not there
     */
    @Override
    public Optional<String> value(String name) {
        ConfigValue read = read(name);
        if (read.getRawValue() != null) {
            Variables.replace(name, read.getRawValue(), MicroProfileSettings::text);
        }
        return Optional.ofNullable(read.getValue()).filter(text -> !text.isBlank());
    }

    /** As it is written; null if it is not set. Payara has kinds of variables with {@code =}. */
    private static String text(String name) {
        return name.indexOf('=') < 0 ? read(name).getRawValue() : "";
    }

    /** Implementations refuse some variables, such as one without a name, and name no setting. */
    private static ConfigValue read(String name) {
        try {
            return ConfigProvider.getConfig().getConfigValue(name);
        } catch (IllegalArgumentException | NoSuchElementException refused) {
            throw new InvalidSettingException(name, "cannot be read: " + refused.getMessage());
        }
    }
}
