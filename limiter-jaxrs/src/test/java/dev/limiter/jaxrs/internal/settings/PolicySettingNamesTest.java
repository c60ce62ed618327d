package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.MapSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names of settings of policies, some of which begin like others, and have dots. */
class PolicySettingNamesTest {
    private static final Map<String, Set<String>> POLICIES =
            Map.of("api", Set.of("gold"), "api.v2", Set.of(), "api.w", Set.of("x.y"));

    private final MapSettings settings = new MapSettings();

    private static Set<String> words(String text) {
        return text == null ? Set.of() : new TreeSet<>(Arrays.asList(text.split(" ")));
    }

    private void set(String names) {
        for (String name : names.split(" ")) {
            settings.with(name, "x");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.policy.p.tier.gold.limit limiter.policy.p.tier.silver.burst,  gold silver",
        "limiter.policy.p.tier.gold.unlimited limiter.policy.q.tier.red.limit, gold",
        "limiter.policy.p.tier.a.b.limit,                                     a.b",
        "limiter.policy.p.tier.gold.limt limiter.policy.p.tier.limit,         ",
        "limiter.policy.p.limit,                                              ",
    })
    void tiersAreThoseOfThePolicy(String names, String tiers) {
        set(names);
        assertThat(PolicySettingNames.tiersOf("limiter.policy.p.", settings)).isEqualTo(words(tiers));
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.policy.p.key limiter.policy.a.b.key limiter.policy.q.limit, a.b p",
        "limiter.policy.p.keys limiter.polcy.q.key limiter.policy.r.monkey,  ",
    })
    void aKeyDeclaresAPolicy(String names, String policies) {
        set(names);
        assertThat(PolicySettingNames.declared(settings)).isEqualTo(words(policies));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "api.limit               | -",
                "api.key                 | -",
                "api.v2.limit            | -",
                "api.v2.key              | -",
                "api.tier.gold.limit     | -",
                "api.tier.new.limit      | -",
                "api.w.tier.x.y.burst    | -",
                "api.lim                 | no such member of a policy; did you mean \"limit\"?",
                "api.v2.lim              | no such member of a policy; did you mean \"limit\"?",
                "api.tier.gold.bust      | no such member of a tier; did you mean \"burst\"?",
                "api.tier.gild.limit     | the annotation has no tier \"gild\"; did you mean \"gold\"? A new tier with so"
                        + " similar a name must be declared in the annotation",
                "api.v3.limit            | no policy of this application has that name; did you mean \"api.v2\"?",
                "apl.limit               | no policy of this application has that name; did you mean \"api\"?",
            })
    void whatNothingReadsHasAReason(String name, String problem) {
        assertThat(PolicySettingNames.problem(PolicySettingNames.PREFIX + name, POLICIES, false)
                        .orElse(null))
                .isEqualTo(problem);
        String shared = problem == null ? null : problem.replaceFirst("(has that name);.*", "$1");
        assertThat(PolicySettingNames.problem(PolicySettingNames.PREFIX + name, POLICIES, true)
                        .orElse(null))
                .isEqualTo(shared);
    }

    @ParameterizedTest
    @CsvSource({"a.limit, a", "a.b.limit, a.b", "a.tier.gold.limit, a", "a.b.tier.x.y.limit, a.b", "a, a"})
    void thePolicyIsWhatStandsBeforeTheMember(String setting, String policy) {
        assertThat(PolicySettingNames.policyIn(PolicySettingNames.PREFIX + setting))
                .isEqualTo(policy);
    }

    @ParameterizedTest
    @CsvSource({
        "limiter.policy.a.key, true",
        "limiter.policy.a.monkey, false",
        "limiter.policy.a.limit, false",
        "limiter.a.key, false",
    })
    void aKeyIsReadOnce(String setting, boolean once) {
        assertThat(PolicySettingNames.isReadOnce(setting)).isEqualTo(once);
    }

    @Test
    void allThatIsReadOfAPolicyIsListed() {
        Set<String> all = PolicySettingNames.allOf(Map.of("p", Set.of("gold"), "q", Set.of()));
        assertThat(all).hasSize(2 * 15 + 3);
        assertThat(all)
                .contains(
                        "limiter.policy.p.key",
                        "limiter.policy.q.on-store-failure",
                        "limiter.policy.p.tier.gold.unlimited")
                .allMatch(name -> PolicySettingNames.problem(name, Map.of("p", Set.of("gold"), "q", Set.of()), false)
                        .isEmpty());
    }

    /** The problems of settings that begin with the name of a policy. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "limit            | false | false | -",
                "key              | false | false | an annotation declares this policy and its key; remove this",
                "key              | true  | false | -",
                "tier.gold.limit  | true  | false | no annotation says which tier a caller has; remove this, or write tier",
                "tier.gold.limit  | false | false | -",
                "limt             | false | false | no such member of a policy",
                "limt             | true  | false | no such member of a policy",
                "limt             | false | true  | -",
                "v2.limit         | false | false | -",
                "v2.key           | false | false | -",
                "v2.limt          | false | false | no such member of a policy",
            })
    void aDeclarationSaysWhatItCannotRead(String member, boolean inConfiguration, boolean shared, String problem) {
        settings.with("limiter.policy.p." + member, "x").with("limiter.policy.pq.limt", "x");
        if (shared) {
            settings.with("limiter.configuration.shared", "true");
        }
        List<String> problems = PolicySettingNames.problems("p", inConfiguration ? null : Set.of("gold"), settings);
        if (problem == null) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).singleElement().asString().startsWith("limiter.policy.p." + member + ": " + problem);
        }
    }
}
