package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With an implementation of MicroProfile Config, SmallRye's. */
class MicroProfileSettingsTest extends SettingsSourceContract {
    @Override
    Settings settings() {
        return MicroProfileSettings.ofApplication(RestProperties.NONE);
    }

    @AfterEach
    void forgetVariables() {
        List.of("test.other", "test.empty", "test.name").forEach(System::clearProperty);
    }

    /** Unlike the specification, and unlike servers with another implementation. */
    @Test
    void twoDollarsAreReadAsOne() {
        System.setProperty(URI, "pa$$word");
        assertThat(settings().value(URI)).contains("pa$word");
    }

    /** SmallRye derives names with dots from the environment, and so finds tiers and keys. */
    @Test
    void whatIsDerivedFromTheEnvironmentIsReadAndNotReported() {
        Map<String, String> environment = Map.of(
                "LIMITER_POLICY_SEARCH_TIER_NEW_LIMIT", "5",
                "LIMITER_POLICY_SEARCH_LIMIT", "7",
                "LIMITER_POLICY_CARRIER_KEY", "'all'");
        MapSettings settings = new MapSettings();
        environment.forEach(settings::with);
        new SmallRyeConfigBuilder()
                .withSources(new EnvConfigSource(environment, 300))
                .build()
                .getPropertyNames()
                .forEach(name -> settings.with(name, "x"));
        assertThat(PolicySettingNames.tiersOf("limiter.policy.search.", settings))
                .containsExactly("new");
        assertThat(PolicySettingNames.declared(settings)).containsExactly("carrier");
        assertThat(SettingNames.unknownOfPolicies(
                        SettingNames.ours(settings), Map.of("search", Set.of(), "carrier", Set.of()), false))
                .isEmpty();
    }

    @Test
    void aFileThatCannotBeReadIsNamedTogetherWithOtherMistakes() {
        System.setProperty("limiter.configuration.file", "/no/such/file");
        try {
            assertThatThrownBy(this::settings)
                    .hasMessage("limiter.configuration.file: \"/no/such/file\" is not a file");
            System.setProperty(URI, "localhost");
            assertThatThrownBy(this::settings)
                    .hasMessageContaining("limiter.configuration.file: \"/no/such/file\" is not a file")
                    .hasMessageContaining(URI + ": is not the address of a Redis");
        } finally {
            System.clearProperty("limiter.configuration.file");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "${NOWHERE},                    NOWHERE",
        "redis://:${NOWHERE}@host:6379, NOWHERE",
        "${ONE}${OTHER},                ONE} and ${OTHER",
        "${test.other},                 test.other",
        "${NOWHERE:${NEITHER}},         NEITHER",
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
    @ValueSource(strings = {"${}", "${:x}", "a${", "${A:${B:}", "${test.other}"})
    void anErrorOfVariablesNamesTheSetting(String written) {
        System.setProperty("test.other", "${test.other}");
        System.setProperty(URI, written);
        Settings settings = settings();
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> settings.value(URI))
                .withMessageStartingWith(URI + ": ");
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
        "\\${a} ${test.other},    ${a} value",
        "\\${a}\\${b}${test.other}, ${a}${b}value",
        "${${test.name}},          value",
        "${NOWHERE:a:b},           a:b",
    })
    void whatIsSetOrHasADefaultIsRead(String written, String read) {
        System.setProperty("test.other", "value");
        System.setProperty("test.empty", "");
        System.setProperty("test.name", "test.other");
        System.setProperty(URI, written);
        assertThat(settings().value(URI).orElse("")).isEqualTo(read);
    }
}
