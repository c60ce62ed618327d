package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.spi.Settings;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a source of settings promises, with and without an implementation of MicroProfile Config.
 * The WAR of the application has a file of settings.
 */
abstract class SettingsSourceContract {
    static final String URI = "limiter.redis.uri";

    @TempDir
    Path classes;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    URLClassLoader application;

    /** Reads the settings of the application, whose class loader is that of the thread. */
    abstract Settings settings();

    @BeforeEach
    void writeTheFile() throws Exception {
        Path file = classes.resolve("META-INF/microprofile-config.properties");
        Files.createDirectories(file.getParent());
        Files.writeString(file, URI + "=redis://localhost:6379\n");
        application = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void forgetIt() throws Exception {
        System.clearProperty(URI);
        Thread.currentThread().setContextClassLoader(before);
        application.close();
    }

    @Test
    void aJobOnAThreadOfAnotherClassLoaderFindsTheSettingsOfTheApplication() {
        Settings settings = settings();
        Thread.currentThread().setContextClassLoader(before);
        assertThat(settings.value(URI)).contains("redis://localhost:6379");
    }

    /** As a test leaves Redis out that the WAR names. */
    @Test
    void anEmptySystemPropertyTakesOutWhatTheFileSays() {
        Settings settings = settings();
        assertThat(settings.value(URI)).contains("redis://localhost:6379");
        for (String blank : List.of("", " ", "\t")) {
            System.setProperty(URI, blank);
            assertThat(settings.value(URI)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "\\${NOWHERE},   ${NOWHERE}",
        "a}b,            a}b",
        "$5 {a},         $5 {a}",
        "pa\\$\\$word,   pa$$word",
        "pa\\$word\\,    pa$word\\",
    })
    void aDollarThatBeginsNoVariableIsText(String written, String read) {
        System.setProperty(URI, written);
        assertThat(settings().value(URI)).contains(read);
    }
}
