package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.MapSettings;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A name that nothing reads is reported with the nearest that is read; all others are not. */
class SettingNamesTest {
    private static final Map<String, Set<String>> POLICIES =
            Map.of("search", Set.of("gold", "staff"), "search.v2", Set.of());

    private static final String DOTS = "; a tier that no annotation declares, and a key, are not read from the"
            + " environment: write them with dots, into a file or a system property";

    private final MapSettings settings = new MapSettings();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limiter.redis.url           | limiter.redis.uri",
                "limiter.Redis.uri           | limiter.redis.uri",
                "limiter.trusted-proxy       | limiter.trusted-proxies",
                "limiter.trusted.proxies     | limiter.trusted-proxies",
                "limiter.on-store-failuer    | limiter.on-store-failure",
                "limiter.polcy.search.limit  | limiter.policy.search.limit",
                "LIMITER_REDIS_URL           | LIMITER_REDIS_URI",
                "limiter_redis_url           | LIMITER_REDIS_URI",
                "LIMITER_TRUSTED_PROXY       | LIMITER_TRUSTED_PROXIES",
            })
    void anUnknownNameIsReportedWithTheNearest(String name, String nearest) {
        settings.with(name, "x");
        assertThat(SettingNames.unknown(SettingNames.ours(settings)))
                .extracting(UnknownName::line)
                .containsExactly(name + ": no such setting; the nearest is \"" + nearest + '"');
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limiter.policy.search.bursst          | no such member of a policy; did you mean \"burst\"?",
                "limiter.policy.search.v2.limt         | no such member of a policy; did you mean \"limit\"?",
                "limiter.policy.serch.limit            | no policy of this application has that name; did you mean \"search\"?",
                "limiter.policy.serch.tier.gold.limit  | no policy of this application has that name; did you mean \"search\"?",
                "limiter.policy.search.tier.gold.limt  | no such member of a tier; did you mean \"limit\"?",
                "limiter.policy.search.tier.glod.limit | the annotation has no tier \"glod\"; did you mean \"gold\"? A new tier"
                        + " with so similar a name must be declared in the annotation",
                "LIMITER_POLICY_SEARCH_BURSST          | no such setting; the nearest is \"LIMITER_POLICY_SEARCH_BURST\"",
                "limiter.policy.mails.limit            | no policy of this application has that name; known:"
                        + " search, search.v2; limiter.policy.mails.key would declare it here",
                "LIMITER_POLICY_SEARCH_KEY             | no such setting; the nearest is \"LIMITER_POLICY_SEARCH_KEEP\""
                        + DOTS,
                "LIMITER_POLICY_SEARCH_TIER_NEW_LIMIT  | no such setting; the nearest is"
                        + " \"LIMITER_POLICY_SEARCH_TIER_GOLD_LIMIT\"" + DOTS,
                "LIMITER_POLICY_SEARCH_TIER_GLOD_LIMIT | no such setting; the nearest is"
                        + " \"LIMITER_POLICY_SEARCH_TIER_GOLD_LIMIT\"" + DOTS,
                "LIMITER_POLICY_CARRIER_KEY            | no such setting" + DOTS,
                "LIMITER_POLICY_SERCH_LIMIT            | no such setting; the nearest is \"LIMITER_POLICY_SEARCH_LIMIT\"",
            })
    void soIsOneOfPolicies(String name, String problem) {
        settings.with(name, "x");
        assertThat(SettingNames.unknown(SettingNames.ours(settings))).isEmpty();
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(settings), POLICIES, false))
                .extracting(UnknownName::line)
                .containsExactly(name + ": " + problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limiter.redis.uri",
                "LIMITER_REDIS_URI",
                "LIMITER_KEY_SECRET",
                "limiter_redis_uri",
                "limiter.policy.search.burst",
                "limiter.policy.search.key",
                "limiter.policy.search.v2.limit",
                "limiter.policy.search.tier.gold.limit",
                "limiter.policy.search.tier.silver.burst",
                "LIMITER_POLICY_SEARCH_ON_STORE_FAILURE",
                "LIMITER_POLICY_SEARCH_V2_LIMIT",
                "LIMITER_POLICY_SEARCH_TIER_GOLD_LIMIT",
                // What is not the limiter's.
                "limit.redis.uri",
                "shop.limiter.redis.url",
                "Limiter",
                // Of services that Kubernetes calls limiter, and limiter-redis.
                "LIMITER_SERVICE_HOST",
                "LIMITER_PORT",
                "LIMITER_REDIS_SERVICE_PORT_HTTP",
                "LIMITER_REDIS_PORT_6379_TCP_ADDR",
            })
    void whatIsReadOrIsNotTheLimitersIsNotReported(String name) {
        settings.with(name, "x");
        assertThat(SettingNames.unknown(SettingNames.ours(settings))).isEmpty();
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(settings), POLICIES, false))
                .isEmpty();
    }

    /**
     * Some sources list a name of the environment once more, with dots in place of all that the
     * environment cannot spell.
     */
    @Test
    void aNameThatASourceHasDerivedFromTheEnvironmentIsNoOther() {
        settings.with("LIMITER_TRUSTED_PROXIES", "10.0.0.0/8").with("limiter.trusted.proxies", "10.0.0.0/8");
        settings.with("LIMITER_REDIS_SERVICE_HOST", "10.0.0.1").with("limiter.redis.service.host", "10.0.0.1");
        settings.with("LIMITER_POLICY_SEARCH_MAX_WAIT", "1s").with("limiter.policy.search.max.wait", "1s");
        assertThat(SettingNames.unknown(SettingNames.ours(settings))).isEmpty();
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(settings), POLICIES, false))
                .isEmpty();
        settings.with("LIMITER_REDIS_URL", "x").with("limiter.redis.url", "x");
        assertThat(SettingNames.unknown(SettingNames.ours(settings)))
                .extracting(UnknownName::line)
                .containsExactly("LIMITER_REDIS_URL: no such setting; the nearest is \"LIMITER_REDIS_URI\"");
    }

    @Test
    void aPolicyThatIsNotThereIsNearToNone() {
        settings.with("limiter.policy.search.limit", "5");
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(settings), Map.of(), false))
                .extracting(UnknownName::line)
                .containsExactly(
                        "limiter.policy.search.limit: no policy of this application has that name; there is none;"
                                + " limiter.policy.search.key would declare it here");
    }

    /** Both are read then: the variable only has another value. */
    @Test
    void aVariableOfWhichAnotherSourceHasTheNameIsRead() {
        settings.with("LIMITER_POLICY_SEARCH_TIER_NEW_LIMIT", "5").with("limiter.policy.search.tier.new.limit", "4");
        settings.with("LIMITER_POLICY_SEARCH_V2_KEY", "x").with("limiter.policy.search.v2.key", "'all'");
        assertThat(SettingNames.unknownOfPolicies(SettingNames.ours(settings), POLICIES, false))
                .isEmpty();
    }
}
