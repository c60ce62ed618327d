package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.Stage;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.internal.form.FormEntity;
import dev.limiter.jaxrs.internal.key.CostExpression;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.StatusSet;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.quota.DirectQuotas;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A limit that "can never bind" never binds. A limit that differs in more than its members may
 * bind.
 */
@Tag("proof")
class WarningsLawTest {
    private static final PartitionKey KEY = PartitionKey.of("literal", "all");

    /** Two policies that count the same, and when requests come, in tenths of a second. */
    private record Case(PolicyDeclaration one, PolicyDeclaration other, List<Long> pauses) {
        static Case draw(Dice dice) {
            return new Case(
                    declaration(dice, "one"), declaration(dice, "other"), dice.list(1, 40, each -> each.number(0, 60)));
        }

        private static PolicyDeclaration declaration(Dice dice, String name) {
            Algorithm algorithm = dice.oneOf(
                    Algorithm.FIXED_WINDOW,
                    Algorithm.SLIDING_LOG,
                    Algorithm.SLIDING_WINDOW,
                    Algorithm.GCRA,
                    Algorithm.UNIFORM,
                    Algorithm.TOKEN_BUCKET);
            return new PolicyDeclaration(
                    PolicyMembers.of(name, algorithm, dice.between(1, 6))
                            .with(
                                    PolicyMember.BURST,
                                    algorithm.accepts(Algorithm.Member.BURST) ? dice.between(0L, 6L) : 0L)
                            .with(
                                    PolicyMember.REFILL,
                                    algorithm == Algorithm.TOKEN_BUCKET && dice.chance(30)
                                            ? Refill.INTERVAL
                                            : Refill.SMOOTH)
                            .with(PolicyMember.BORROW, algorithm == Algorithm.TOKEN_BUCKET && dice.chance(30)),
                    DeclaredWindow.of(Duration.ofSeconds(dice.between(1, 4))),
                    Map.of(),
                    false);
        }
    }

    private static Limit limit(
            PolicyDeclaration declaration, String key, String cost, String countOn, Stage stage, boolean tiers) {
        return new Limit(
                new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of())),
                KeyExpression.compile(key),
                CostExpression.compile(cost),
                tiers ? KeyExpression.single("{attribute:plan}", "{claim:plan}") : null,
                StatusSet.parse(countOn),
                stage);
    }

    private static Limit plain(PolicyDeclaration declaration) {
        return limit(declaration, "{ip}", "1", "", Stage.AFTER_AUTHENTICATION, false);
    }

    private static List<String> neverBind(Limit... limits) {
        return DeclarationWarnings.of(List.of(new Plan("here", FormEntity.NOT_TAKEN, false, List.of(limits)))).stream()
                .filter(warning -> warning.startsWith("LIM01"))
                .map(warning ->
                        warning.replaceAll("LIM01 here: \"(\\w+)\" can never bind beside \"(\\w+)\".*", "$1 $2"))
                .toList();
    }

    @Test
    void whatIsSaidNeverToBindNeverDoes() {
        Property.forAll(Case::draw).tries(40_000).check(drawn -> {
            for (String said : neverBind(plain(drawn.one()), plain(drawn.other()))) {
                PolicyDeclaration wide = said.startsWith("one") ? drawn.one() : drawn.other();
                assertNeverAlone(wide, wide == drawn.one() ? drawn.other() : drawn.one(), drawn.pauses());
            }
        });
    }

    /** Whenever the wide one rejects, so does the tight one. */
    private static void assertNeverAlone(PolicyDeclaration wide, PolicyDeclaration tight, List<Long> pauses) {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_000));
        try (LocalRateLimiter limiter = new LocalRateLimiter(now::get)) {
            Policy wider = wide.policy();
            CheckGroup both = CheckGroup.of(Check.of(wider, KEY), Check.of(tight.policy(), KEY));
            for (long pause : pauses) {
                now.updateAndGet(before -> before.plusMillis(100 * pause));
                if (limiter.acquire(both) instanceof Decision.Rejected rejected) {
                    assertThat(rejected.failing())
                            .as("%s beside %s", wide, tight)
                            .anyMatch(answer -> !answer.policy().equals(wider));
                }
            }
        }
    }

    private static PolicyDeclaration gcra(String name, long limit, boolean shadow) {
        return new PolicyDeclaration(
                PolicyMembers.of(name, Algorithm.GCRA, limit)
                        .with(PolicyMember.ENFORCEMENT, shadow ? Enforcement.SHADOW : Enforcement.ENFORCED),
                DeclaredWindow.of(Duration.ofSeconds(10)),
                Map.of(),
                false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ip}   | 1 | ``  | AFTER_AUTHENTICATION  | false | true",
                "{user} | 1 | ``  | AFTER_AUTHENTICATION  | false | false",
                "{ip}   | 2 | ``  | AFTER_AUTHENTICATION  | false | false",
                "{ip}   | 1 | 5xx | AFTER_AUTHENTICATION  | false | false",
                "{ip}   | 1 | ``  | BEFORE_AUTHENTICATION | false | false",
                "{ip}   | 1 | ``  | AFTER_AUTHENTICATION  | true  | false",
            })
    void onlyLimitsThatCountTheSameAreCompared(
            String key, String cost, String countOn, Stage stage, boolean tiers, boolean said) {
        List<String> expected = said ? List.of("wide tight") : List.of();
        Limit tight = plain(gcra("tight", 5, false));
        Limit wide = limit(gcra("wide", 9, false), key, cost, countOn, stage, tiers);
        assertThat(neverBind(tight, wide)).isEqualTo(expected);
        assertThat(neverBind(wide, tight)).isEqualTo(expected);
        Limit otherwise = limit(gcra("tight", 5, false), key, cost, countOn, stage, tiers);
        assertThat(neverBind(otherwise, plain(gcra("wide", 9, false)))).isEqualTo(expected);
        assertThat(neverBind(plain(gcra("tight", 5, true)), plain(gcra("wide", 9, false))))
                .as("a shadow keeps nothing out")
                .isEmpty();
        assertThat(neverBind(plain(gcra("tight", 5, false)), plain(gcra("wide", 9, true))))
                .containsExactly("wide tight");
    }

    /** A contract may be tighter or wider than the annotation says. */
    @Test
    void aLimitWithAContractMayBind() {
        Limit tight = plain(gcra("tight", 5, false));
        Limit wide = plain(gcra("wide", 9, false));
        assertThat(neverBind(tight, wide)).containsExactly("wide tight");
        assertThat(neverBind(sold(tight), wide)).isEmpty();
        assertThat(neverBind(tight, sold(wide))).isEmpty();
        assertThat(neverBind(sold(tight), sold(wide))).isEmpty();
    }

    private static Limit sold(Limit limit) {
        ReloadablePolicy sold = new ReloadablePolicy(
                limit.policy().declaration(), limit.policy().version());
        sold.quotaFrom(DirectQuotas.bean(partition -> null, () -> 0, 1));
        return new Limit(sold, limit.key(), limit.cost(), limit.tier(), limit.countOn(), limit.stage());
    }

    @Test
    void ofSeveralEachIsSaidOnceAndOfEqualOnesTheLater() {
        Limit a = plain(gcra("a", 5, false));
        Limit b = plain(gcra("b", 5, false));
        Limit c = plain(gcra("c", 5, false));
        assertThat(neverBind(a, b, c)).containsExactly("b a", "c a");
        assertThat(neverBind(c, b, a)).containsExactly("a c", "b c");
        assertThat(neverBind(plain(gcra("d", 7, false)), a, plain(gcra("e", 4, false))))
                .containsExactly("a e", "d a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{header:X}; -; true",
                "{header:X}; {ip}; false",
                "{header:X}; {user}; false",
                "{header:X}; {header:Y}; true",
                "{header:X}; {ip}/{cookie:c}; true",
                "{header:X}; 'all'; false",
                "{ip}/{query:q}; -; true",
                "#{request.header('X')}; -; true",
                "#{request.headers('X')}; -; true",
                "#{request['header']('X')}; -; true",
                "#{request [ \"header\" ] ('X')}; -; true",
                "#{(request).header('X')}; -; true",
                "#{[request][0].header('X')}; -; true",
                "#{(asked -> asked.header('X'))(request)}; -; true",
                "#{tenants.of( request )}; -; false",
                "#{tenants.of(ip, request)}; -; false",
                "#{request['user']().name}; -; false",
                "#{request.query('q')}; -; true",
                "#{request.cookie('c')}; -; true",
                "#{request.form('f')}; -; true",
                "#{request.pathParameter('p')}; -; true",
                "#{request.header('X')}; #{request.headers('Y')}; true",
                "#{user.name}; -; false",
                "#{request.endpoint()}; -; false",
                "{user|form:f}; -; true",
                "{user|ip}; -; false",
                "{attribute:a}{path:p}; -; true",
            })
    void aChosenPartNeedsANeighbourWithoutOne(String key, String neighbour, boolean said) {
        Limit limit = limit(gcra("chosen", 5, false), key, "1", "", Stage.AFTER_AUTHENTICATION, false);
        assertThat(chosen(limit, neighbour, false)).isEqualTo(said);
        boolean ever = chosen(limit, "-", false);
        assertThat(chosen(limit, neighbour, true)).as("beside a shadow").isEqualTo(ever);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{ip}; true",
                "{user|ip}; true",
                "#{ip}; true",
                "#{request.clientAddress()}; true",
                "#{request['clientAddress']()}; true",
                "{ip}/{endpoint}; true",
                "'all'; true",
                "{header:X-Api-Key}; true",
                "{form:username~fold}; true",
                "#{request.cookie('c')}; true",
                "{form:username|ip}; true",
                "{user}; false",
                "{user}/{ip}; false",
                "{path:show}/{claim:tenant}; false",
                "{bean:b}; false",
                "{form:username~fold}/{ip}; false",
                "#{ip}/{header:X}; false",
            })
    void aBanNeedsAKeyThatOthersCannotSpend(String key, boolean said) {
        PolicyDeclaration banning = new PolicyDeclaration(
                gcra("banning", 5, false).written().with(PolicyMember.BAN, Ban.parse("1h after 3")),
                DeclaredWindow.of(Duration.ofSeconds(10)),
                Map.of(),
                false);
        Limit limit = limit(banning, key, "1", "", Stage.AFTER_AUTHENTICATION, false);
        assertThat(DeclarationWarnings.of(List.of(new Plan("here", FormEntity.NOT_TAKEN, false, List.of(limit)))))
                .filteredOn(warning -> warning.startsWith("LIM18"))
                .hasSize(said ? 1 : 0)
                .allSatisfy(warning -> assertThat(warning).contains("\"banning\" bans by " + key + ":"));
    }

    /** A limit that is switched off protects nothing, and is no reason to remove another. */
    @Test
    void aNeighbourThatIsSwitchedOffIsNone() {
        Limit chosen = limit(gcra("chosen", 5, false), "{header:X}", "1", "", Stage.AFTER_AUTHENTICATION, false);
        Limit wider = plain(gcra("wider", 10, false));
        Limit off = switchedOff(plain(gcra("off", 5, false)));
        assertThat(chosen(List.of(off, chosen))).isTrue();
        assertThat(neverBind(off, wider)).isEmpty();
    }

    private static Limit switchedOff(Limit limit) {
        PolicyDeclaration declaration = limit.policy().declaration();
        return new Limit(
                new ReloadablePolicy(declaration, PolicyVersion.of(declaration, false, true, List.of())),
                limit.key(),
                limit.cost(),
                null,
                limit.countOn(),
                limit.stage());
    }

    private static boolean chosen(Limit limit, String neighbour, boolean shadow) {
        List<Limit> all = neighbour.equals("-")
                ? List.of(limit)
                : List.of(
                        limit(gcra("beside", 5, shadow), neighbour, "1", "", Stage.AFTER_AUTHENTICATION, false), limit);
        return chosen(all);
    }

    private static boolean chosen(List<Limit> all) {
        return DeclarationWarnings.of(List.of(new Plan("here", FormEntity.NOT_TAKEN, false, all))).stream()
                .anyMatch(warning -> warning.startsWith("LIM02 here: \"chosen\""));
    }
}
