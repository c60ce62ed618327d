package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.spi.InvalidSettingException;
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
        List.of(URI, "test.other", "test.empty").forEach(System::clearProperty);
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

    @ParameterizedTest
    @CsvSource({
        "${NOWHERE},                    NOWHERE",
        "redis://:${NOWHERE}@host:6379, NOWHERE",
        "${NOWHERE:${NEITHER}},         NEITHER",
        "${ONE}${OTHER},                ONE} and ${OTHER",
        "${test.other},                 NOWHERE",
    })
    void aVariableThatIsNotSetIsNamed(String written, String variable) {
        System.setProperty("test.other", "${NOWHERE}");
        System.setProperty(URI, written);
        Settings settings = MicroProfileSettings.ofApplication();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessageStartingWith(
                        URI + ": needs ${" + variable + "}, which is not set; where it may be missing,")
                .withMessageNotContaining("6379");
    }

    /** What follows may be the rest of a password. */
    @Test
    void aBraceThatIsMissingIsToldWithoutTheText() {
        System.setProperty(URI, "redis://:abc${secret@host:6379");
        Settings settings = MicroProfileSettings.ofApplication();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessage(URI + ": has \"${\" without \"}\"; if this is no variable, write \"\\${\"");
    }

    @ParameterizedTest
    @CsvSource({
        "${test.other},            value",
        "a ${test.other} b,        a value b",
        "${NOWHERE:value},         value",
        "${NOWHERE:},              ''",
        "${test.empty},            ''",
        "${NOWHERE:${test.other}}, value",
        "${test.other:${NOWHERE}}, value",
        "\\${NOWHERE},            ${NOWHERE}",
    })
    void whatIsSetOrHasADefaultIsRead(String written, String read) {
        System.setProperty("test.other", "value");
        System.setProperty("test.empty", "");
        System.setProperty(URI, written);
        assertThat(MicroProfileSettings.ofApplication().value(URI).orElse("")).isEqualTo(read);
    }

    @Test
    void aFileThatCannotBeReadIsNamedTogetherWithOtherMistakes() {
        System.setProperty("limiter.configuration.file", "/no/such/file");
        try {
            assertThatThrownBy(MicroProfileSettings::ofApplication)
                    .hasMessage("limiter.configuration.file: \"/no/such/file\" is no file");
            System.setProperty(URI, "localhost");
            assertThatThrownBy(MicroProfileSettings::ofApplication)
                    .hasMessageContaining("limiter.configuration.file: \"/no/such/file\" is no file")
                    .hasMessageContaining(URI + ": is not the address of a Redis");
        } finally {
            System.clearProperty("limiter.configuration.file");
        }
    }
}
