package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a source of settings promises, with and without an implementation of MicroProfile Config.
 * The WAR of the application has a file of settings.
 */
abstract class SettingsSourceContract {
    static final String URI = "limiter.redis.uri";
    private static final int LEVELS = 5;

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
        List.of(URI, "test.other", "test.empty", "test.name").forEach(System::clearProperty);
        IntStream.range(0, LEVELS).forEach(level -> System.clearProperty("test.level" + level));
        Thread.currentThread().setContextClassLoader(before);
        application.close();
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
        "${NOWHERE},                    NOWHERE",
        "redis://:${NOWHERE}@host:6379, NOWHERE",
        "${NOWHERE:${NEITHER}},         NEITHER",
        "${ONE}${OTHER},                ONE} and ${OTHER",
        "${test.other},                 NOWHERE",
    })
    void aVariableThatIsNotSetIsNamed(String written, String variable) {
        System.setProperty("test.other", "${NOWHERE}");
        System.setProperty(URI, written);
        Settings settings = settings();
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
        Settings settings = settings();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessage(
                        URI + ": has \"${\" without \"}\" or without a name; if this is no variable, write \"\\${\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${}", "${:x}", "a${", "${test.other}"})
    void anErrorOfVariablesNamesTheSetting(String written) {
        System.setProperty("test.other", "${test.other}");
        System.setProperty(URI, written);
        Settings settings = settings();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessageStartingWith(URI + ": ");
    }

    /** Sixteen in a row, each with the next one four times, would be 4^16 look-ups. */
    @Test
    void tooManyVariablesAreRefused() {
        for (int level = 0; level < LEVELS; level++) {
            System.setProperty("test.level" + level, ("${test.level" + (level + 1) + ":}").repeat(4));
        }
        System.setProperty(URI, "${test.level0}");
        Settings settings = settings();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessage(URI + ": needs more than 1,000 variables, with those that they need");
    }

    /** It is read, though not by its own name. */
    @Test
    void aVariableThatASettingNeedsIsNoUnknownSetting() {
        System.setProperty("LIMITER_REDIS_HOST", "localhost");
        System.setProperty("limiter.redis.port", "6379");
        System.setProperty(URI, "redis://${LIMITER_REDIS_HOST}:${limiter.redis.port}");
        try {
            Settings settings = settings();
            assertThat(SettingNames.unknown(SettingNames.ours(settings))).isEmpty();
            System.clearProperty(URI);
            assertThat(SettingNames.unknown(SettingNames.ours(settings))).hasSize(2);
        } finally {
            System.clearProperty("LIMITER_REDIS_HOST");
            System.clearProperty("limiter.redis.port");
        }
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
        "\\${a} ${test.other},    ${a} value",
        "\\${a}\\${b}${test.other}, ${a}${b}value",
        "${${test.name}},          value",
        "${NOWHERE:a:b},           a:b",
        "a}b,                      a}b",
        "$5 {a},                   $5 {a}",
        "pa\\$\\$word,              pa$$word",
        "pa\\$word\\,               pa$word\\",
    })
    void whatIsSetOrHasADefaultIsRead(String written, String read) {
        System.setProperty("test.other", "value");
        System.setProperty("test.empty", "");
        System.setProperty("test.name", "test.other");
        System.setProperty(URI, written);
        assertThat(settings().value(URI).orElse("")).isEqualTo(read);
    }
}
