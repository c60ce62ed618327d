package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which unknown settings fail the start, which are warnings, and when they are repeated. */
@Tag("proof")
class SettingsCheckTest {
    private static final Map<String, Set<String>> POLICIES = Map.of("search", Set.of());
    private static final List<String> NAMES = List.of(
            "limiter.redis.url",
            "limiter.policy.serch.limit",
            "limiter.policy.search.limt",
            "limiter.policy.search.limit");

    /** A mistake is said when it comes, not while it stays, and again when it comes back. */
    @Test
    void eachIsSaidWhenItComes() {
        Property.forAll(dice -> dice.list(1, 12, each -> each.list(0, 4, name -> name.oneOf(NAMES))))
                .tries(2_000)
                .check(readings -> {
                    SettingsCheck unknown = new SettingsCheck();
                    Set<String> before = Set.of();
                    for (List<String> names : readings) {
                        MapSettings settings = new MapSettings();
                        names.forEach(name -> settings.with(name, "1"));
                        Set<String> now = new HashSet<>(names);
                        now.remove("limiter.policy.search.limit");
                        Set<String> fresh = new HashSet<>(now);
                        fresh.removeAll(before);
                        try (LogLines log = new LogLines("dev.limiter.plan")) {
                            unknown.warn(settings, POLICIES);
                            List<String> said = new ArrayList<>();
                            for (String line : log.taken()) {
                                assertThat(line).startsWith("WARNING LIM05 limiter.");
                                said.add(line.substring("WARNING LIM05 ".length(), line.indexOf(':')));
                            }
                            assertThat(said).containsExactlyInAnyOrderElementsOf(fresh);
                        }
                        before = now;
                    }
                });
    }

    @Test
    void aLineBreakInANameIsNoSecondLineOfTheLog() {
        MapSettings settings = new MapSettings().with("limiter.policy.a\nWARNING forged.limit", "1");
        try (LogLines log = new LogLines("dev.limiter.plan")) {
            new SettingsCheck().warn(settings, POLICIES);
            assertThat(log.taken()).singleElement().asString().startsWith("WARNING LIM05 limiter.policy.a WARNING");
        }
    }

    /**
     * A sub-resource that is read later may have the policy, or the tier, that a setting was
     * meant for.
     */
    @Test
    void theSameSettingsAreJudgedAgainWhenThereAreMorePolicies() {
        SettingsCheck unknown = new SettingsCheck();
        MapSettings settings = new MapSettings().with("limiter.policy.later.limit", "1");
        try (LogLines log = new LogLines("dev.limiter.plan")) {
            unknown.warn(settings, POLICIES);
            assertThat(log.taken()).hasSize(1);
            unknown.warn(settings, Map.of("search", Set.of(), "later", Set.of()));
            assertThat(log.taken()).isEmpty();
            unknown.warn(settings, POLICIES);
            assertThat(log.taken()).as("it is gone again").hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.redis.url,          false, true,  false",
        "limiter.redis.url,          true,  false, false",
        "limiter.policy.serch.limit, false, false, true",
        "limiter.policy.serch.limit, true,  false, false",
        "LIMITER_REDIS_URL,          false, true,  false",
        "LIMITER_SOMETHING_ELSE,     false, false, false",
        "LIMITER_POLICY_CARRIER_KEY, false, false, true",
        "LIMITER_POLICY_CARRIER_KEY, true,  false, false",
        "limiter.policy.search.key,  false, false, false",
    })
    void aMistakeFailsTheStartUnlessServicesShareTheConfiguration(
            String name, boolean shared, boolean failsAtOnce, boolean failsOfPolicies) {
        MapSettings settings = new MapSettings().with(name, "x");
        if (shared) {
            settings.with("limiter.configuration.shared", "true");
        }
        assertFails(() -> SettingsCheck.check(settings), failsAtOnce, name);
        assertFails(
                () -> SettingsCheck.checkPolicies(settings, SettingNames.ours(settings), POLICIES),
                failsOfPolicies,
                name);
    }

    @ParameterizedTest
    @CsvSource({"false, false, true", "false, true, false", "true, false, false"})
    void aContextParameterThatNothingReadsIsAMistake(boolean isSetting, boolean shared, boolean fails) {
        MapSettings settings = new MapSettings();
        if (isSetting) {
            settings.with("limiter.redis.uri", "redis://localhost:6379");
        }
        if (shared) {
            settings.with("limiter.configuration.shared", "true");
        }
        try (LogLines log = new LogLines("dev.limiter.plan")) {
            assertFails(
                    () -> SettingsCheck.checkContextParameters(settings, List.of("limiter.redis.uri")),
                    fails,
                    "limiter.redis.uri");
            assertThat(log.taken()).hasSize(shared ? 1 : 0);
        }
    }

    private static void assertFails(Runnable check, boolean fails, String name) {
        if (fails) {
            assertThatExceptionOfType(RateLimitDeploymentException.class)
                    .isThrownBy(check::run)
                    .withMessageContaining(name + ":");
        } else {
            assertThatCode(check::run).doesNotThrowAnyException();
        }
    }
}
