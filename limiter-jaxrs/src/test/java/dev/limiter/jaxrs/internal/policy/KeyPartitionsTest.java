package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.key.CostExpression;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.platform.CaseFolding;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which partition a request is counted on, for keys of several parts with several alternatives
 * each, of which some are missing.
 */
@Tag("proof")
class KeyPartitionsTest {
    private static final List<String> SOURCES = List.of(
            "user", "header:X-A", "header:X-B", "query:q", "cookie:c", "attribute:n", "path:p", "header:X-A~fold");

    /** Parts with alternatives; and what a request has. */
    private record Case(List<List<String>> parts, Map<String, String> request) {
        static Case draw(Dice dice) {
            List<List<String>> parts = dice.list(1, 4, each -> each.list(1, 3, one -> one.oneOf(SOURCES)));
            Map<String, String> request = new TreeMap<>();
            for (String source : SOURCES) {
                if (!source.endsWith("~fold") && dice.chance(60)) {
                    request.put(source, dice.oneOf("", "a", "A ", "b", " "));
                }
            }
            return new Case(parts, request);
        }

        String key() {
            return parts.stream()
                    .map(alternatives -> '{' + String.join("|", alternatives) + '}')
                    .collect(Collectors.joining("/"));
        }

        /** Its value in the request; empty if it has none. */
        private String value(String source) {
            boolean folded = source.endsWith("~fold");
            String value = request.getOrDefault(folded ? source.substring(0, source.length() - 5) : source, "");
            return folded ? CaseFolding.fold(value) : value;
        }

        private boolean isThere(List<String> alternatives) {
            return alternatives.stream().anyMatch(source -> !value(source).isEmpty());
        }

        PartitionKey partition() {
            PartitionKey.Builder key = PartitionKey.builder();
            for (int i = 0; i < parts.size(); i++) {
                if (i > 0) {
                    key.add("literal", "/");
                }
                if (isThere(parts.get(i))) {
                    String first = parts.get(i).stream()
                            .filter(source -> !value(source).isEmpty())
                            .findFirst()
                            .orElseThrow();
                    key.add(first, value(first));
                } else {
                    key.add("ip", "203.0.113.9");
                }
            }
            return key.build();
        }
    }

    private static FakeRequest request(Map<String, String> values) {
        FakeRequest request = new FakeRequest().with("ip", "203.0.113.9");
        values.forEach(request::with);
        return request;
    }

    @Test
    void eachPartIsItsFirstAlternativeThatIsThereElseTheAddress() {
        Property.forAll(Case::draw).tries(20_000).check(drawn -> {
            AtomicInteger missing = new AtomicInteger();
            KeyExpression key = KeyExpression.compile(drawn.key()).whenMissing(missing::incrementAndGet);
            assertThat(key.partition(request(drawn.request()))).isEqualTo(drawn.partition());
            assertThat(missing)
                    .as("told that a part is missing")
                    .hasValue(drawn.parts().stream().allMatch(drawn::isThere) ? 0 : 1);
        });
    }

    /** An attribute or a bean may be a number, or what a service has made. */
    @Test
    void anAttributeIsItsText() {
        KeyExpression key = KeyExpression.compile("{attribute:n}");
        for (Object value : List.of(7, "7", new StringBuilder("7"))) {
            assertThat(key.partition(new FakeRequest().with("attribute:n", value)))
                    .isEqualTo(PartitionKey.of("attribute:n", "7"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,                     3",
                "'',                    3",
                "0,                     1",
                "-1,                    1",
                "-99999999999999999999, 1",
                "1,                     1",
                "2,                     2",
                "' 2 ',                 2",
                "10,                    10",
                "11,                    10",
                "99999999999999999999,  10",
                "ten,                   10",
                "1.5,                   10",
                "-,                     3",
            })
    void aCostThatARequestSaysIsFromOneToWhatTheLimitHolds(String said, long units) {
        Policy policy = Policy.of("p", Algorithm.SLIDING_LOG, 10, Duration.ofSeconds(1));
        CostExpression cost = CostExpression.compile("{query:size|'3'}");
        FakeRequest request = said == null ? new FakeRequest() : new FakeRequest().with("query:size", said);
        assertThat(cost.of(request, policy)).isEqualTo(units);
    }

    /** A policy that is switched off, or has no tiers, reports no unknown tier. */
    @Test
    void anUnknownTierIsToldOnceForEachRequestThatIsCounted() {
        List<String> told = new ArrayList<>();
        RequestSignals signals = new RequestSignals() {
            @Override
            public void count(MeterSheet meter, String policy) {
                assertThat(meter).isEqualTo(MeterSheet.TIER_UNKNOWN);
                told.add(policy);
            }
        };
        PolicyDeclaration declaration = new PolicyDeclaration(
                PolicyMembers.of("p", Algorithm.GCRA, 5),
                DeclaredWindow.of(Duration.ofSeconds(1)),
                Map.of(
                        "gold",
                        new PolicyDeclaration.TierDeclaration(50, 0, false),
                        "staff",
                        new PolicyDeclaration.TierDeclaration(0, 0, true)),
                false);
        ReloadablePolicy policy =
                new ReloadablePolicy(declaration, PolicyVersion.of(declaration, true, true, List.of()), () -> signals);
        assertThat(of(policy, "gold").policy().limit()).isEqualTo(50);
        assertThat(of(policy, "staff")).isNull();
        assertThat(of(policy, null).policy().limit()).isEqualTo(5);
        assertThat(told).isEmpty();
        assertThat(of(policy, "silver").policy().limit()).isEqualTo(5);
        assertThat(of(policy, "silver").policy().limit()).isEqualTo(5);
        assertThat(told).containsExactly("p", "p");
        policy.become(PolicyVersion.of(declaration, false, true, List.of()));
        assertThat(of(policy, "silver")).isNull();
        assertThat(told).hasSize(2);
    }

    private static EffectivePolicy of(ReloadablePolicy policy, String tier) {
        return policy.of(new StatedByTest(tier, null, new FakeRequest(), policy::lacks));
    }
}
