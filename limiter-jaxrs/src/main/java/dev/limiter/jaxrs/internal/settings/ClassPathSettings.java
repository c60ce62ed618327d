package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.InvalidSettingException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Settings of an application without an implementation of MicroProfile Config: system properties,
 * the environment, and the files of the class path, by its rules. The library brings no
 * implementation: beside that of a server it could become the one that the server uses.
 */
final class ClassPathSettings implements OrdinalSettings {
    private static final String FILE = "META-INF/microprofile-config.properties";
    private static final String ORDINAL = "config_ordinal";
    private static final String PROFILE = "mp.config.profile";
    private static final List<String> SERVICES = List.of("ConfigSource", "ConfigSourceProvider");

    private static final int OF_SYSTEM = 400;
    private static final int OF_ENVIRONMENT = 300;
    private static final int OF_FILE = 100;

    /** The highest ordinal first. */
    private final List<Source> sources = new ArrayList<>();

    private record Source(int ordinal, UnaryOperator<String> texts, Supplier<Set<String>> names) {}

    /**
     * @param application has the files
     * @param environment the variables of the process
     * @throws InvalidSettingException if a file cannot be read, or needs what only an
     *     implementation can do
     */
    ClassPathSettings(ClassLoader application, Map<String, String> environment) {
        sources.add(new Source(
                OF_SYSTEM, System::getProperty, () -> System.getProperties().stringPropertyNames()));
        sources.add(new Source(OF_ENVIRONMENT, name -> fromEnvironment(name, environment), environment::keySet));
        try {
            for (URL file : Collections.list(application.getResources(FILE))) {
                sources.add(ofFile(file));
            }
        } catch (IOException unreadable) {
            throw new InvalidSettingException(FILE, "cannot be read: " + unreadable);
        }
        sources.sort(Comparator.comparingInt(Source::ordinal).reversed());
        refuseWhatIsNotRead(application);
    }

    private static Source ofFile(URL file) throws IOException {
        Properties read = new Properties();
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false); // a cached jar of a WAR would stay open
        try (Reader reader = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            read.load(reader);
            int ordinal = Integer.parseInt(
                    read.getProperty(ORDINAL, Integer.toString(OF_FILE)).strip());
            return new Source(ordinal, read::getProperty, read::stringPropertyNames);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidSettingException(file.toString(), "cannot be read: " + malformed.getMessage());
        }
    }

    /** Otherwise what an application has set would be left out in silence. */
    private void refuseWhatIsNotRead(ClassLoader application) {
        String profile = text(PROFILE);
        if (profile != null && !profile.isBlank()) {
            throw withoutImplementation(PROFILE);
        }
        for (String each : SERVICES) {
            String service = "META-INF/services/org.eclipse.microprofile.config.spi." + each;
            if (application.getResource(service) != null) {
                throw withoutImplementation(service);
            }
        }
    }

    private static InvalidSettingException withoutImplementation(String what) {
        return new InvalidSettingException(
                what,
                "only an implementation of MicroProfile Config reads it, and there is none here; add one, such as"
                        + " io.smallrye.config:smallrye-config-core");
    }

    private static String fromEnvironment(String name, Map<String, String> environment) {
        for (String spelled : List.of(name, name.replaceAll("[^A-Za-z0-9]", "_"), SettingNames.inEnvironment(name))) {
            String text = environment.get(spelled);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    private String text(String name) {
        for (Source each : sources) {
            String text = each.texts().apply(name);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    @Override
    public Iterable<String> names() {
        Set<String> names = new TreeSet<>();
        sources.forEach(source -> names.addAll(source.names().get()));
        names.addAll(Variables.neededBy(names, this::text));
        return names;
    }

    @Override
    public int ordinal(String name) {
        return sources.stream()
                .filter(source -> source.texts().apply(name) != null)
                .mapToInt(Source::ordinal)
                .findFirst()
                .orElse(0);
    }

    /**
     * @throws InvalidSettingException if it has a variable that is not set
     */
    @Override
    public Optional<String> value(String name) {
        return Optional.ofNullable(text(name))
                .map(written -> Variables.replace(name, written, this::text))
                .filter(read -> !read.isBlank());
    }
}
