package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.spi.Settings;
import org.junit.jupiter.api.Test;

/** With an implementation of MicroProfile Config, SmallRye's. */
class MicroProfileSettingsTest extends SettingsSourceContract {
    @Override
    Settings settings() {
        return MicroProfileSettings.ofApplication();
    }

    /** Unlike the specification, and unlike servers with another implementation. */
    @Test
    void twoDollarsAreReadAsOne() {
        System.setProperty(URI, "pa$$word");
        assertThat(settings().value(URI)).contains("pa$word");
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
