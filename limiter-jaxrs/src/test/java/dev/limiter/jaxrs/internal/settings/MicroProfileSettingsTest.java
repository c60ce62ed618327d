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

/** Settings of an application whose WAR has a file of them. */
class MicroProfileSettingsTest {
    private static final String URI = "limiter.redis.uri";

    @TempDir
    Path classes;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private URLClassLoader application;

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

    /** As a test leaves Redis out that the WAR names. */
    @Test
    void anEmptySystemPropertyTakesOutWhatTheFileSays() {
        Settings settings = MicroProfileSettings.ofApplication();
        assertThat(settings.value(URI)).contains("redis://localhost:6379");
        for (String blank : List.of("", " ", "\t")) {
            System.setProperty(URI, blank);
            assertThat(settings.value(URI)).isEmpty();
        }
    }
}
