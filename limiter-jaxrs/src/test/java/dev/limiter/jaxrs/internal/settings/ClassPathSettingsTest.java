package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without an implementation of MicroProfile Config. */
class ClassPathSettingsTest extends SettingsSourceContract {
    private static final String FILE = "META-INF/microprofile-config.properties";

    @TempDir
    private Path library;

    @Override
    Settings settings() {
        return settings(Map.of());
    }

    private Settings settings(Map<String, String> environment) {
        return new ClassPathSettings(application, environment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"limiter.redis.uri", "limiter_redis_uri", "LIMITER_REDIS_URI"})
    void theEnvironmentWinsOverTheFile(String spelled) {
        Settings settings = settings(Map.of(spelled, "redis://other:6379"));
        assertThat(settings.value(URI)).contains("redis://other:6379");
        assertThat(settings.names()).contains(spelled, URI);
        System.setProperty(URI, "redis://third:6379");
        assertThat(settings.value(URI)).contains("redis://third:6379");
    }

    @Test
    void ofSeveralFilesTheFirstWins() throws Exception {
        assertThat(besides("limiter.redis.uri=redis://library:6379\nlimiter.application=library")
                        .value(URI))
                .contains("redis://localhost:6379");
        assertThat(besides("limiter.application=library").value("limiter.application"))
                .contains("library");
    }

    /** Where a library has settings of others, it changes nothing here. */
    @Test
    void anOrdinalOfAFileWithSettingsIsRefused() throws Exception {
        assertThatThrownBy(() -> besides("config_ordinal=101\nlimiter.redis.uri=redis://library:6379"))
                .hasMessageStartingWith("config_ordinal in file:")
                .hasMessageContaining(FILE + ": only an implementation of MicroProfile Config reads it");
        assertThat(besides("config_ordinal=101\nmp.openapi.scan.disable=true").value(URI))
                .contains("redis://localhost:6379");
    }

    @Test
    void aFileIsReadAsUtf8() throws Exception {
        assertThat(besides("limiter.application=Gl\u00fcck").value("limiter.application"))
                .contains("Gl\u00fcck");
    }

    @Test
    void aMalformedFileIsNamed() {
        assertThatThrownBy(() -> besides("limiter.application=\\u00g1"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(FILE + ": cannot be read: ");
    }

    @Test
    void aProfileIsRefused() {
        assertThatThrownBy(() -> settings(Map.of("MP_CONFIG_PROFILE", "production")))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("mp.config.profile: only an implementation of MicroProfile Config reads it")
                .hasMessageEndingWith("add one, such as io.smallrye.config:smallrye-config-core");
        assertThat(settings(Map.of("MP_CONFIG_PROFILE", "")).value(URI)).contains("redis://localhost:6379");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ConfigSource", "ConfigSourceProvider"})
    void aSourceOfTheApplicationIsRefused(String service) throws Exception {
        String name = "META-INF/services/org.eclipse.microprofile.config.spi." + service;
        Path file = library.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "com.example.Source");
        assertThatThrownBy(() -> besides("")).hasMessageStartingWith(name + ": only an implementation");
    }

    /** As the specification has it; see {@link MicroProfileSettingsTest#twoDollarsAreReadAsOne}. */
    @Test
    void twoDollarsAreReadAsTwo() {
        System.setProperty(URI, "pa$$word");
        assertThat(settings().value(URI)).contains("pa$$word");
    }

    /** Its text, which may be secret, is not in the error. */
    @ParameterizedTest
    @ValueSource(strings = {"${test.other}", "abc${NOWHERE:def}", "abc${", "\\${a}${b}"})
    void aVariableIsRefused(String written) {
        System.setProperty(URI, written);
        assertThatThrownBy(() -> settings().value(URI))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage(URI + ": has a \"${\", which only an implementation of MicroProfile Config replaces, and"
                        + " there is none here; set LIMITER_REDIS_URI in the environment, or the system property, or"
                        + " add one, such as io.smallrye.config:smallrye-config-core");
    }

    /** The settings with a library that has this file, behind the application's. */
    private Settings besides(String text) throws IOException {
        Path file = library.resolve(FILE);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        URL[] both = {application.getURLs()[0], library.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(both, null)) {
            return new ClassPathSettings(loader, Map.of());
        }
    }
}
