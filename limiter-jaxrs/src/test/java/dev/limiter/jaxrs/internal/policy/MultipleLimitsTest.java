package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import dev.limiter.jaxrs.internal.request.RequestDecision;
import dev.limiter.jaxrs.internal.request.RequestState;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Behaviour that is easily right for the first of a kind and wrong for the second: exemptions,
 * tiers, limits, members.
 */
class MultipleLimitsTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final NameConflict.Choice CHOICE = new NameConflict.Choice("{ip}", "", "");
    private static final Duration HOUR = Duration.ofHours(1);

    private final MapSettings settings = new MapSettings();

    @RateLimited(name = "one", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1m")
    @RateLimited(name = "two", key = "{ip}", algorithm = Algorithm.GCRA, limit = 6, window = "2m")
    @RateLimited(name = "three", key = "{ip}", algorithm = Algorithm.GCRA, limit = 7, window = "3m")
    interface Exempting {
        @GET
        void all();

        @GET
        @RateLimitExempt("two")
        void second();

        @GET
        @RateLimitExempt({"one", "three"})
        void outer();

        @GET
        @RateLimitExempt
        void none();

        @GET
        @OfTheFirst
        @RateLimitExempt("three")
        void composed();

        @GET
        @OfTheFirst
        @RateLimitExempt
        void composedNone();

        @GET
        @OfAll
        @RateLimitExempt("three")
        void composedAll();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimitExempt("one")
    @interface OfTheFirst {}

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimitExempt
    @interface OfAll {}

    @ParameterizedTest
    @CsvSource({
        "all,          one two three",
        "second,       one three",
        "outer,        two",
        "none,         ''",
        "composed,     two",
        "composedNone, ''",
        "composedAll,  ''",
    })
    void eachExemptionTakesOutWhatItNames(String method, String left) throws NoSuchMethodException {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(policies(), Application.class)
                .read(Exempting.class, Exempting.class.getMethod(method), problems);
        assertThat(problems).isEmpty();
        assertThat(plan.limits())
                .extracting(Limit::name)
                .containsExactly(left.isEmpty() ? new String[0] : left.split(" "));
    }

    private PolicyRegistry policies() {
        return new PolicyRegistry(settings, Policy.DEFAULT_LEASE, System::nanoTime);
    }

    private static PolicyDeclaration declaration(Map<String, PolicyDeclaration.TierDeclaration> tiers) {
        return new PolicyDeclaration(
                PolicyMembers.of("p", Algorithm.GCRA, 5).with(PolicyMember.BURST, 10L),
                DeclaredWindow.of(HOUR),
                tiers,
                false);
    }

    /**
     * Either number limits a tier that was declared unlimited, unless configuration says that it
     * stays so.
     */
    @ParameterizedTest
    @CsvSource({
        "limit, 50, 50, 10",
        "burst, 60, 5,  60",
    })
    void aNumberForATierThatWasUnlimitedLimitsIt(String member, String number, long limit, long burst) {
        PolicyDeclaration declared = declaration(Map.of(
                "staff",
                new PolicyDeclaration.TierDeclaration(0, 0, true),
                "gold",
                new PolicyDeclaration.TierDeclaration(7, 0, false)));
        settings.with("limiter.policy.p.tier.staff." + member, number);
        PolicyVersion version = new PolicyOverrides("p", settings, Policy.DEFAULT_LEASE, false).over(declared);
        assertThat(version.of("staff").policy().limit()).isEqualTo(limit);
        assertThat(version.of("staff").policy().burst()).isEqualTo(burst);
        assertThat(version.of("gold").policy().limit()).isEqualTo(7);
        settings.with("limiter.policy.p.tier.staff.unlimited", "true");
        assertThat(new PolicyOverrides("p", settings, Policy.DEFAULT_LEASE, false)
                        .over(declared)
                        .of("staff"))
                .isNull();
    }

    /**
     * Bursts stay where the other algorithm has them, too; and are left out where it has none.
     */
    @ParameterizedTest
    @CsvSource({"TOKEN_BUCKET, 10, 60", "GCRA, 10, 60", "UNIFORM, 1, 1", "FIXED_WINDOW, 5, 5"})
    void theBurstsOfTiersFollowThatOfThePolicy(Algorithm algorithm, long burst, long ofGold) {
        PolicyDeclaration declared = declaration(Map.of("gold", new PolicyDeclaration.TierDeclaration(0, 60, false)));
        settings.with("limiter.policy.p.algorithm", algorithm.name());
        PolicyVersion version = new PolicyOverrides("p", settings, Policy.DEFAULT_LEASE, false).over(declared);
        assertThat(version.policy().capacity()).isEqualTo(burst);
        assertThat(version.of("gold").policy().capacity()).isEqualTo(ofGold);
    }

    /** The message names the member in which the second declaration of a name differs. */
    @ParameterizedTest
    @MethodSource("differingMembers")
    void twoDeclarationsOfANameAgreeInEveryMember(String member, PolicyDeclaration one, PolicyDeclaration other)
            throws Exception {
        PolicyRegistry policies = policies();
        DeclarationSite first = DeclarationSite.of(Exempting.class, Exempting.class.getMethod("all"));
        DeclarationSite second = DeclarationSite.of(Exempting.class, Exempting.class.getMethod("second"));
        List<String> problems = new ArrayList<>();
        ReloadablePolicy admitted = policies.admit(one, CHOICE, true, first, problems);
        assertThat(policies.admit(one, CHOICE, true, second, problems)).isSameAs(admitted);
        assertThat(problems).isEmpty();
        assertThat(policies.admit(other, CHOICE, true, second, problems)).isNull();
        assertThat(problems)
                .singleElement()
                .asString()
                .startsWith("@RateLimited." + member + " on Exempting.second: \"p\" is ")
                .endsWith("on Exempting.all; one name is one bucket, so make them equal or rename one");
    }

    /** A name that was made of its place is of that place only, whichever of the two has it. */
    @ParameterizedTest
    @CsvSource({"true, true, true", "true, false, false", "false, true, false", "false, false, false"})
    void onlyANameThatBothHaveWrittenIsShared(boolean first, boolean second, boolean shared) throws Exception {
        PolicyRegistry policies = policies();
        PolicyDeclaration declaration = declaration(Map.of());
        DeclarationSite one = DeclarationSite.of(Exempting.class, Exempting.class.getMethod("all"));
        DeclarationSite other = DeclarationSite.of(Exempting.class, Exempting.class.getMethod("second"));
        List<String> problems = new ArrayList<>();
        ReloadablePolicy admitted = policies.admit(declaration, CHOICE, first, one, problems);
        assertThat(policies.admit(declaration, CHOICE, first, one, problems))
                .as("the same place again")
                .isSameAs(admitted);
        assertThat(problems).isEmpty();
        assertThat(policies.admit(declaration, CHOICE, second, other, problems)).isSameAs(shared ? admitted : null);
        assertThat(problems).hasSize(shared ? 0 : 1).allMatch(problem -> problem.endsWith("; give both a name"));
    }

    static Stream<Object[]> differingMembers() {
        PolicyDeclaration gcra = declaration(Map.of());
        PolicyDeclaration bucket =
                with(with(gcra, PolicyMember.ALGORITHM, Algorithm.TOKEN_BUCKET), PolicyMember.BURST, 10L);
        PolicyDeclaration queue = with(
                with(with(gcra, PolicyMember.ALGORITHM, Algorithm.LEAKY_BUCKET), PolicyMember.BURST, 0L),
                PolicyMember.MAX_WAIT,
                HOUR);
        PolicyDeclaration tiers = declaration(Map.of("gold", new PolicyDeclaration.TierDeclaration(50, 0, false)));
        return Stream.of(
                new Object[] {"algorithm", gcra, bucket},
                new Object[] {"limit", gcra, with(gcra, PolicyMember.LIMIT, 6L)},
                new Object[] {
                    "window",
                    gcra,
                    new PolicyDeclaration(gcra.written(), DeclaredWindow.of(HOUR.plusSeconds(1)), Map.of(), false)
                },
                new Object[] {"burst", gcra, with(gcra, PolicyMember.BURST, 11L)},
                new Object[] {"refill", bucket, with(bucket, PolicyMember.REFILL, Refill.INTERVAL)},
                new Object[] {"borrow", bucket, with(bucket, PolicyMember.BORROW, true)},
                new Object[] {"maxWait", queue, with(queue, PolicyMember.MAX_WAIT, HOUR.plusSeconds(1))},
                new Object[] {"enforcement", gcra, with(gcra, PolicyMember.ENFORCEMENT, Enforcement.SHADOW)},
                new Object[] {"tiers", gcra, tiers},
                new Object[] {
                    "tiers", tiers, declaration(Map.of("gold", new PolicyDeclaration.TierDeclaration(51, 0, false)))
                },
                new Object[] {
                    "tiers", tiers, declaration(Map.of("gold", new PolicyDeclaration.TierDeclaration(50, 7, false)))
                },
                new Object[] {"onStoreFailure", gcra, with(gcra, PolicyMember.ON_STORE_FAILURE, OnStoreFailure.OPEN)});
    }

    /** The same declaration with one other member. */
    private static <T> PolicyDeclaration with(PolicyDeclaration declaration, PolicyMember<T> member, T value) {
        return new PolicyDeclaration(
                declaration.written().with(member, value),
                declaration.window(),
                declaration.tiers(),
                declaration.contracts());
    }

    private static ReloadablePolicy live(String name, boolean refundable) {
        PolicyDeclaration declaration = with(declaration(Map.of()), PolicyMember.NAME, name);
        ReloadablePolicy policy =
                new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of()));
        if (refundable) {
            policy.becomeRefundable();
        }
        return policy;
    }

    @Test
    void afterAChargeEveryNumberIsThatOfTheCharge() {
        Policy policy = Policy.of("p", Algorithm.GCRA, 5, HOUR);
        EffectivePolicy effective = EffectivePolicy.of(policy, true);
        CheckResult before = new CheckResult(policy, true, 4, 0, 11, 12);
        PublishedResult after = new PublishedResult(effective, before).after(new ChargeResult(policy, 3, 0, 1, 21, 22));
        assertThat(after.policy()).isSameAs(effective);
        assertThat(after.result()).isEqualTo(new CheckResult(policy, true, 1, 0, 21, 22));
    }

    /**
     * A policy that counts nothing at present is checked all the same: otherwise the mistake
     * would show in production only.
     */
    @Test
    void aChargeThatCouldNotBeIsRefusedEvenWhereNothingCounts() {
        settings.with("limiter.enabled", "false")
                .with("limiter.policy.flight.key", "'all'")
                .with("limiter.policy.flight.algorithm", "CONCURRENCY")
                .with("limiter.policy.flight.limit", "5")
                .with("limiter.policy.units.key", "'all'")
                .with("limiter.policy.units.algorithm", "GCRA")
                .with("limiter.policy.units.limit", "5")
                .with("limiter.policy.units.window", "1h");
        try (ApplicationRuntime off = new ApplicationRuntime(settings, ServerContext.withoutServlets(null))) {
            RequestState state = off.requests().begin(true);
            RateLimits limits = state.limits();
            limits.acquire("flight", "a");
            limits.acquire("units", "a");
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> limits.charge("flight", 1));
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> limits.charge("units", -1));
            assertThat(limits.remaining("units")).isEqualTo(5);
            assertThat(limits.remaining("flight")).isEqualTo(5);
            assertThat(limits.charge("units", 2).remaining()).isEqualTo(5);
            assertThat(state.limits().decisions()).isEmpty();
        }
    }

    /**
     * The slot did not come: the lease taken with it is given back, and not that of work that
     * still runs.
     */
    @Test
    void theLeaseOfWhatCameToNothingIsGivenBackAndNoOther() {
        ApplicationRuntime runtime = new ApplicationRuntime(new MapSettings(), ServerContext.withoutServlets(null));
        RateLimiter limiter = runtime.limiter();
        RequestState state = runtime.requests().begin(true);
        List<Policy> policies = List.of(Policy.concurrency("first", 5), Policy.concurrency("second", 5));
        for (Policy policy : policies) {
            List<BoundLimit> asked = List.of(new BoundLimit(
                    Limit.of(live(policy.name(), false)),
                    null,
                    EffectivePolicy.of(policy, true),
                    Check.of(policy, ALL)));
            state.add(new RequestDecision(asked, limiter.acquire(BoundLimit.group(asked))));
        }
        state.forgetLast();
        assertThat(runtime.requests().leases().held()).isEqualTo(1);
        assertThat(limiter.peek(policies.get(0), ALL).remaining()).isEqualTo(4);
        assertThat(limiter.peek(policies.get(1), ALL).remaining()).isEqualTo(5);
        assertThat(state.limits().decisions()).hasSize(1);
        runtime.close();
        limiter.close();
    }

    @Test
    void aTierThatCannotBeIsNamedWhicheverItIs() {
        for (String wrong : List.of("a", "z")) {
            PolicyDeclaration declared = declaration(Map.of(
                    "a", new PolicyDeclaration.TierDeclaration(wrong.equals("a") ? 1L << 40 : 6, 0, false),
                    "m", new PolicyDeclaration.TierDeclaration(0, 0, true),
                    "z", new PolicyDeclaration.TierDeclaration(wrong.equals("z") ? 1L << 40 : 6, 0, false)));
            assertThat(declared.impossible()).hasValueSatisfying(found -> {
                assertThat(found.tier()).isEqualTo(wrong);
                assertThat(found.why()).isInstanceOf(InvalidPolicyException.class);
            });
        }
    }
}
