package dev.limiter.jaxrs.internal.settings;

import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Settings from MicroProfile Config: system properties, environment,
 * {@code META-INF/microprofile-config.properties}, and what an implementation adds.
 *
 * @param application its class loader; the thread of a job may have another one, which finds no
 *     configuration, or that of another application
 */
public record MicroProfileSettings(ClassLoader application) implements OrdinalSettings {
    private static final String IMPLEMENTATION =
            "META-INF/services/org.eclipse.microprofile.config.spi.ConfigProviderResolver";

    private static final Pattern NAMED = Pattern.compile("\\$\\{([^{}:]+)");

    /**
     * A variable: escaped, or with a default that may have others; or one that must be set, which
     * has a group. Payara has kinds of variables with {@code =}.
     */
    private static final Pattern VARIABLE =
            Pattern.compile("\\\\\\$|\\$\\{[^{}:]+:(?:[^{}]++|\\{(?:[^{}]++|\\{[^{}]*+})*+})*+}|\\$\\{([^{}:=]+)}");

    /** A variable without a default, also in the default of another. */
    private static final Pattern INNERMOST = Pattern.compile("\\\\\\$|\\$\\{([^{}:=]+)}");

    /** A brace or a name is missing; the variables of the text are left out. */
    private static final Pattern MALFORMED = Pattern.compile("\\$\\{(?:[:}]|[^}]*$)");

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
        try {
            return properties.named(wrong, sources());
        } catch (RuntimeException unusable) {
            return wrong; // which says what is wrong with the sources
        }
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
        SettingsCheck.refuse(properties.values().keySet().stream()
                .filter(name -> !asked.value(name).equals(inForce.value(name)))
                .map(name -> name + ": is a property of " + whose + " it into META-INF/microprofile-config.properties")
                .toList());
    }

    /** What the implementation of MicroProfile Config reads, or the same without it. */
    static OrdinalSettings sources() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader application = context == null ? MicroProfileSettings.class.getClassLoader() : context;
        try {
            ConfigProvider.getConfig(application);
            return new MicroProfileSettings(application);
        } catch (IllegalStateException unusable) {
            if (application.getResource(IMPLEMENTATION) != null) {
                throw unusable; // such as two, which older versions of the API refuse
            }
            return new ClassPathSettings(application, System.getenv());
        }
    }

    /**
     * Asks the sources, too: the names of the configuration as a whole may be those of the
     * start. A variable that a setting needs is no setting that nothing reads.
     */
    @Override
    public Iterable<String> names() {
        Config config = ConfigProvider.getConfig(application);
        Set<String> names = new TreeSet<>();
        config.getPropertyNames().forEach(names::add);
        for (ConfigSource source : config.getConfigSources()) {
            for (String name : source.getPropertyNames()) {
                names.add(name);
                String raw = name.startsWith(SettingNames.PREFIX) ? source.getValue(name) : null;
                NAMED.matcher(raw == null ? "" : raw).results().forEach(found -> names.add(found.group() + '}'));
            }
        }
        return names;
    }

    @Override
    public boolean winsOverRest(String name) {
        return read(name).getSourceOrdinal() >= RestProperties.ORDINAL;
    }

    /**
     * @throws dev.limiter.spi.InvalidSettingException if it has a variable that is not set.
     *     Implementations of MicroProfile Config give no value then, or the text without it. The
     *     error has no text, which may be secret
     */
    @Override
    public Optional<String> value(String name) {
        ConfigValue read = read(name);
        String raw = Objects.requireNonNullElse(read.getRawValue(), "");
        if (MALFORMED.matcher(VARIABLE.matcher(raw).replaceAll(" ")).find()) { // its name may be the rest of a password
            throw new InvalidSettingException(
                    name, "has \"${\" without \"}\" or without a name; if this is no variable, write \"\\${\"");
        }
        boolean isNone = read.getValue() == null || read.getValue().isBlank();
        List<String> missing = (isNone ? INNERMOST : VARIABLE)
                .matcher(raw)
                .results()
                .map(found -> found.group(1))
                .filter(variable -> variable != null && read(variable).getValue() == null)
                .toList();
        if (!missing.isEmpty()) {
            throw new InvalidSettingException(
                    name,
                    "needs ${" + String.join("} and ${", missing)
                            + "}, which is not set; where it may be missing, write" + " a default, such as ${"
                            + missing.get(0) + ":}");
        }
        return isNone ? Optional.empty() : Optional.of(read.getValue());
    }

    /** Implementations refuse some variables, such as one without a name, and name no setting. */
    private ConfigValue read(String name) {
        try {
            return ConfigProvider.getConfig(application).getConfigValue(name);
        } catch (IllegalArgumentException | NoSuchElementException refused) {
            throw new InvalidSettingException(name, "cannot be read: " + refused.getMessage());
        }
    }
}
