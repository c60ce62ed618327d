package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.spi.Settings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** With an implementation of MicroProfile Config, SmallRye's. */
class MicroProfileSettingsTest extends SettingsSourceContract {
    @Override
    Settings settings() {
        return MicroProfileSettings.ofApplication(RestProperties.NONE);
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
            assertThatThrownBy(this::settings).hasMessage("limiter.configuration.file: \"/no/such/file\" is no file");
            System.setProperty(URI, "localhost");
            assertThatThrownBy(this::settings)
                    .hasMessageContaining("limiter.configuration.file: \"/no/such/file\" is no file")
                    .hasMessageContaining(URI + ": is not the address of a Redis");
        } finally {
            System.clearProperty("limiter.configuration.file");
        }
    }
}
