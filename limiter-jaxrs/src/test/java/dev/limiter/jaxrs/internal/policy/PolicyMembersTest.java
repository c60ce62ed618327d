package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.spi.InvalidSettingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each member of a policy in configuration changes its own number, and no other. */
class PolicyMembersTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final MapSettings settings = new MapSettings();

    private static PolicyDeclaration declaration(Algorithm algorithm) {
        return new PolicyDeclaration(
                PolicyMembers.of("p", algorithm, 10)
                        .with(PolicyMember.BURST, algorithm.accepts(Algorithm.Member.BURST) ? 20L : 0L)
                        .with(
                                PolicyMember.MAX_WAIT,
                                algorithm == Algorithm.LEAKY_BUCKET ? Duration.ofSeconds(5) : null),
                DeclaredWindow.of(algorithm == Algorithm.CONCURRENCY ? LEASE : Duration.ofSeconds(10)),
                Map.of(),
                false);
    }

    private PolicyVersion version(PolicyDeclaration declaration) {
        return new PolicyOverrides("p", settings, LEASE, false).over(declaration);
    }

    private static String text(Policy policy) {
        return policy.algorithm() + " " + policy.limit() + " " + policy.window() + " " + policy.burst() + " "
                + policy.refill() + " " + policy.borrow() + " " + policy.maxWait() + " " + policy.aligned() + " "
                + policy.enforcement() + " " + policy.onStoreFailure();
    }

    /** The changed member, and the text that it replaces. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TOKEN_BUCKET | limit            | 15        | 10 PT10S 20     | 15 PT10S 20",
                "TOKEN_BUCKET | window           | 1m        | PT10S           | PT1M",
                "TOKEN_BUCKET | burst            | 30        | 20              | 30",
                "TOKEN_BUCKET | refill           | interval  | SMOOTH          | INTERVAL",
                "TOKEN_BUCKET | borrow           | true      | SMOOTH false    | SMOOTH true",
                "FIXED_WINDOW | aligned          | true      | PT0S false      | PT0S true",
                "LEAKY_BUCKET | max-wait         | 7s        | PT5S            | PT7S",
                "TOKEN_BUCKET | enforcement      | shadow    | ENFORCED        | SHADOW",
                "TOKEN_BUCKET | on-store-failure | closed    | CONFIGURED      | CLOSED",
                "TOKEN_BUCKET | on-store-failure | ' OPEN '  | CONFIGURED      | OPEN",
                "FIXED_WINDOW | window           | 1 month UTC | PT10S         | PT747H",
                "FIXED_WINDOW | enforcement      | soft      | ENFORCED        | SOFT",
                "CONCURRENCY  | limit            | 15        | 10 PT30S        | 15 PT30S",
            })
    void eachMemberChangesItself(Algorithm algorithm, String member, String value, String before, String after) {
        String without = text(version(declaration(algorithm)).policy());
        assertThat(without).contains(before);
        settings.with("limiter.policy.p." + member, value).with("limiter.policy.q.limit", "77");
        PolicyVersion changed = version(declaration(algorithm));
        assertThat(text(changed.policy())).isEqualTo(without.replaceFirst(before, after));
        assertThat(changed.configured()).containsExactly(member + '=' + value.strip());
        assertThat(changed.enabled()).isTrue();
        assertThat(changed.base().published())
                .as("a shadow is kept to ourselves")
                .isEqualTo(!value.equals("shadow"));
    }

    @Test
    void whatIsKeptOfAPolicyIsKeptOfItsTiersAndContracts() {
        settings.with("limiter.policy.p.window", "1 month")
                .with("limiter.policy.p.keep", "1")
                .with("limiter.policy.p.tier.gold.limit", "30");
        PolicyVersion kept = version(declaration(Algorithm.FIXED_WINDOW));
        assertThat(kept.policy().keepsPrevious()).isTrue();
        assertThat(kept.of("gold").policy().keepsPrevious()).isTrue();
        assertThat(new ReloadablePolicy(kept.declaration(), kept)
                        .with(kept, 250, 0)
                        .policy()
                        .keepsPrevious())
                .isTrue();
    }

    /** The state of a bucket says its limit where partitions or callers have others. */
    @Test
    void aLimitVariesWithTiersAndContractsAndNotWithoutThem() {
        PolicyDeclaration bucket = declaration(Algorithm.GCRA);
        assertThat(version(bucket).policy().rules().keepsUnits()).isFalse();
        settings.with("limiter.policy.p.limit", "15");
        assertThat(version(bucket).policy().rules().keepsUnits()).isFalse();
        settings.with("limiter.policy.p.tier.staff.unlimited", "true").with("limiter.policy.p.tier.gold.burst", "30");
        assertThat(version(bucket).policy().rules().keepsUnits()).isFalse();
        settings.with("limiter.policy.p.tier.gold.limit", "30");
        assertThat(version(bucket).policy().rules().keepsUnits()).isTrue();
        assertThat(version(bucket).of("gold").policy().rules().keepsUnits()).isTrue();
        settings.with("limiter.policy.p.limit", "30");
        assertThat(version(bucket).policy().rules().keepsUnits())
                .as("what was written under the limit before says so")
                .isTrue();
    }

    /** Members that the new algorithm has are kept; all others are left out. */
    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUCKET,   GCRA,           20",
        "TOKEN_BUCKET,   FIXED_WINDOW,   0",
        "TOKEN_BUCKET,   SLIDING_LOG,    0",
        "GCRA,           TOKEN_BUCKET,   20",
        "GCRA,           SLIDING_WINDOW, 0",
        "FIXED_WINDOW,   GCRA,           10",
        "SLIDING_WINDOW, FIXED_WINDOW,   0",
    })
    void anAlgorithmTakesOverWhatItKnows(Algorithm before, Algorithm after, long burst) {
        settings.with("limiter.policy.p.algorithm", after.name());
        Policy policy = version(declaration(before)).policy();
        assertThat(policy.algorithm()).isEqualTo(after);
        assertThat(policy.limit()).isEqualTo(10);
        assertThat(policy.window()).isEqualTo(Duration.ofSeconds(10));
        if (after.accepts(Algorithm.Member.BURST)) {
            assertThat(policy.burst()).isEqualTo(burst);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LEAKY_BUCKET, GCRA",
        "GCRA, LEAKY_BUCKET",
        "CONCURRENCY, GCRA",
        "GCRA, CONCURRENCY",
        "CONCURRENCY, LEAKY_BUCKET",
    })
    void whatHoldsOrLeasesTakesNoPlaceOfWhatCounts(Algorithm before, Algorithm after) {
        settings.with("limiter.policy.p.algorithm", after.name());
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> version(declaration(before)))
                .withMessageStartingWith("limiter.policy.p.algorithm: " + before + " cannot become " + after);
    }

    /** Each number of a tier by itself; 0 is what the policy has. */
    @ParameterizedTest
    @CsvSource({
        "limit,     50,   50, 20, false",
        "burst,     60,   10, 60, false",
        "unlimited, true, 0,  0,  true",
    })
    void aTierOfConfigurationChangesWhatItNames(
            String member, String value, long limit, long burst, boolean unlimited) {
        settings.with("limiter.policy.p.tier.gold." + member, value);
        PolicyVersion version = version(declaration(Algorithm.TOKEN_BUCKET));
        assertThat(version.unlimited().contains("gold")).isEqualTo(unlimited);
        assertThat(version.knows("gold")).isTrue();
        assertThat(version.knows("silver")).isFalse();
        if (unlimited) {
            assertThat(version.of("gold")).isNull();
        } else {
            assertThat(version.of("gold").policy().limit()).isEqualTo(limit);
            assertThat(version.of("gold").policy().burst()).isEqualTo(burst);
        }
        assertThat(version.of("silver").policy()).isEqualTo(version.policy());
        assertThat(version.configured()).containsExactly("tier.gold." + member + '=' + value);
    }

    @Test
    void whatIsSwitchedOffOrUnpublishedIsSoForItsTiersAndContractsToo() {
        settings.with("limiter.policy.p.tier.gold.limit", "50").with("limiter.policy.p.publish", "false");
        PolicyDeclaration declared = declaration(Algorithm.TOKEN_BUCKET);
        PolicyVersion unpublished = version(declared);
        EffectivePolicy ofContract = new ReloadablePolicy(declared, unpublished).with(unpublished, 9, 0);
        assertThat(List.of(unpublished.base(), unpublished.of("gold"), ofContract))
                .extracting(EffectivePolicy::published)
                .containsExactly(false, false, false);
        settings.with("limiter.policy.p.enabled", "false");
        PolicyVersion off = version(declaration(Algorithm.TOKEN_BUCKET));
        assertThat(off.enabled()).isFalse();
        assertThat(off.of("gold")).isNull();
        assertThat(off.of(null)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit            | ten   | must be a whole number, was \"ten\"",
                "limit            | 1.5   | must be a whole number, was \"1.5\"",
                "tier.gold.limit  | 0     | must be at least 1, was 0",
                "tier.gold.burst  | -1    | must be at least 1, was -1",
                "refill           | never | \"never\" is not one of SMOOTH, INTERVAL",
                "algorithm        | GATE  | \"GATE\" is not one of",
                "on-store-failure | shut  | \"shut\" is not one of",
                "limit            | 0     | limit must be",
                "tier.gold.burst  | 9999999999999 | tier.gold.burst",
            })
    void whatCannotBeNamesTheSetting(String member, String value, String why) {
        settings.with("limiter.policy.p." + member, value);
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> version(declaration(Algorithm.TOKEN_BUCKET)))
                .satisfies(wrong -> assertThat(wrong.getMessage())
                        .startsWith("limiter.policy.p." + member)
                        .contains(why));
    }
}
