package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.InvalidSettingException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Settings of an application without an implementation of MicroProfile Config: system properties,
 * the environment, and the files of the class path, in this order. Nothing replaces variables in
 * them. The library brings no implementation: beside that of a server it could become the one
 * that the server uses.
 */
final class ClassPathSettings implements OrdinalSettings {
    private static final String FILE = "META-INF/microprofile-config.properties";
    private static final String ORDINAL = "config_ordinal";
    private static final String PROFILE = "mp.config.profile";
    private static final List<String> SERVICES = List.of("ConfigSource", "ConfigSourceProvider");
    private static final String ADD_ONE = "add one, such as io.smallrye.config:smallrye-config-core";

    private final Map<String, String> environment;
    private final Properties files = new Properties();

    /**
     * @param application has the files
     * @param environment the variables of the process
     * @throws InvalidSettingException if a file cannot be read, or needs what only an
     *     implementation can do
     */
    ClassPathSettings(ClassLoader application, Map<String, String> environment) {
        this.environment = environment;
        try {
            for (URL file : Collections.list(application.getResources(FILE))) {
                read(file).forEach(files::putIfAbsent);
            }
        } catch (IOException unreadable) {
            throw new InvalidSettingException(FILE, "cannot be read: " + unreadable);
        }
        refuseWhatIsNotRead(application);
    }

    private static Properties read(URL file) throws IOException {
        Properties read = new Properties();
        URLConnection connection = file.openConnection();
        connection.setUseCaches(false); // a cached jar of a WAR would stay open
        try (Reader reader = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            read.load(reader);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidSettingException(file.toString(), "cannot be read: " + malformed.getMessage());
        }
        if (read.containsKey(ORDINAL)
                && read.stringPropertyNames().stream().anyMatch(name -> name.startsWith(SettingNames.PREFIX))) {
            throw withoutImplementation(ORDINAL + " in " + file);
        }
        return read;
    }

    /** Otherwise what an application has set would be left out in silence. */
    private void refuseWhatIsNotRead(ClassLoader application) {
        if (value(PROFILE).isPresent()) {
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
                what, "only an implementation of MicroProfile Config reads it, and there is none here; " + ADD_ONE);
    }

    /** What stands before the files; null for nothing. */
    private String beforeFiles(String name) {
        String ofSystem = System.getProperty(name);
        return ofSystem != null
                ? ofSystem
                : Stream.of(name, name.replaceAll("[^A-Za-z0-9]", "_"), SettingNames.inEnvironment(name))
                        .map(environment::get)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    @Override
    public Iterable<String> names() {
        Set<String> names = new TreeSet<>(System.getProperties().stringPropertyNames());
        names.addAll(environment.keySet());
        names.addAll(files.stringPropertyNames());
        return names;
    }

    @Override
    public boolean winsOverRest(String name) {
        return beforeFiles(name) != null;
    }

    /**
     * @throws InvalidSettingException if it has a variable
     */
    @Override
    public Optional<String> value(String name) {
        String before = beforeFiles(name);
        String text = before == null ? files.getProperty(name, "") : before;
        if (text.replace("\\$", " ").contains("${")) {
            throw new InvalidSettingException(
                    name,
                    "has a \"${\", which only an implementation of MicroProfile Config replaces, and there is none here;"
                            + " set " + SettingNames.inEnvironment(name)
                            + " in the environment, or the system property,"
                            + " or " + ADD_ONE);
        }
        return Optional.of(text.replace("\\$", "$")).filter(read -> !read.isBlank());
    }
}
