package dev.limiter.jaxrs.internal.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.internal.request.ParsedFields;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.Texts;
import java.math.BigInteger;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.ParseException;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The headers of any policy and any result are structured fields by the draft. */
@Tag("proof")
class StructuredFieldsTest {
    private static final long MAX_COUNT = (1L << 31) - 1;
    private static final long MAX_WINDOW_MICROS = Duration.ofDays(366).toSeconds() * 1_000_000;

    private static final List<Algorithm> COUNTING = List.copyOf(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)));

    /** Structured fields have integers of at most fifteen digits. */
    private static final long MOST = 999_999_999_999_999L;

    /**
     * Whatever the rules of policies leave: the largest instants are below 2^53 µs, so spans are
     * too.
     */
    private static final long MOST_SECONDS = (1L << 53) / 1_000_000;

    @Test
    void eachItemIsAStringWithTheIntegersOfTheDraft() {
        Property.forAll(answers()).tries(1_000).check(StructuredFieldsTest::areStringsWithTheIntegersOfTheDraft);
    }

    private static void areStringsWithTheIntegersOfTheDraft(List<CheckResult> results) {
        ParsedFields fields = ParsedFields.of(results);
        List<String> names =
                results.stream().map(result -> result.policy().name()).toList();
        assertThat(List.copyOf(fields.policies().keySet())).isEqualTo(names);
        assertThat(List.copyOf(fields.limits().keySet())).isEqualTo(names);
        for (CheckResult result : results) {
            Policy policy = result.policy();
            Map<String, Object> quota = fields.policies().get(policy.name());
            Map<String, Object> left = fields.limits().get(policy.name());
            assertThat(quota).containsEntry("q", policy.capacity());
            assertThat(left).containsEntry("r", result.remaining());
            assertThat(fields.r(policy.name())).isBetween(0L, policy.capacity());
            if (policy.algorithm() == Algorithm.CONCURRENCY) {
                assertThat(quota).containsOnlyKeys("q", "qu").containsEntry("qu", "concurrent-requests");
                assertThat(left).containsOnlyKeys("r");
                continue;
            }
            BigInteger million = BigInteger.valueOf(1_000_000);
            boolean wholeSeconds = policy.rules().quotaMicros().mod(million).signum() == 0;
            assertThat(quota.containsKey("w")).isEqualTo(wholeSeconds);
            assertThat(quota).doesNotContainKey("qu");
            if (wholeSeconds) {
                assertThat((Long) quota.get("w"))
                        .isBetween(1L, MOST_SECONDS)
                        .isEqualTo(policy.rules().quotaMicros().divide(million).longValueExact());
            }
            if (left.containsKey("t")) {
                assertThat((Long) left.get("t")).isBetween(1L, Math.min(MOST, result.nextAfterMicros() / 1_000_000));
            }
        }
    }

    @Test
    void legacyFieldsAreWholeNumbersFromZero() {
        Property.forAll(answers()).tries(1_000).check(StructuredFieldsTest::areWholeNumbersFromZero);
    }

    private static void areWholeNumbersFromZero(List<CheckResult> results) {
        Map<String, String> fields = ParsedFields.written(new LegacyHeaders(), results);
        assertThat(fields).containsOnlyKeys("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
        assertThat(fields.values()).allSatisfy(value -> assertThat(value).matches("0|[1-9][0-9]{0,14}"));
        long least = results.stream().mapToLong(CheckResult::remaining).min().orElseThrow();
        long remaining = Long.parseLong(fields.get("X-RateLimit-Remaining"));
        assertThat(remaining).isEqualTo(least).isLessThanOrEqualTo(Long.parseLong(fields.get("X-RateLimit-Limit")));
    }

    /**
     * The policies with the largest figures that there can be, and an answer that a clock of µs
     * could never give.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void noIntegerHasMoreThanFifteenDigits(Algorithm algorithm) {
        for (Policy policy : largest(algorithm)) {
            long micros = Long.MAX_VALUE;
            ParsedFields fields =
                    ParsedFields.of(List.of(new CheckResult(policy, true, policy.capacity(), 0, micros, micros)));
            assertThat(policy.capacity()).isLessThanOrEqualTo(MAX_COUNT);
            assertThat(Stream.of(fields.policies(), fields.limits())
                            .flatMap(items -> items.get(policy.name()).values().stream())
                            .filter(Long.class::isInstance))
                    .isNotEmpty()
                    .allSatisfy(number -> assertThat((Long) number).isBetween(0L, MOST));
        }
    }

    /** Shows that the parser would report an error. */
    @Test
    void theParserRefusesWhatIsNone() {
        for (String wrong :
                List.of("\"a\"b\";q=1", "\"ä\";q=1", "\"a\";q=1000000000000000", "\"a\";q=1,", "\"a\\b\"")) {
            assertThatExceptionOfType(ParseException.class).isThrownBy(() -> Parser.parseList(wrong));
        }
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ParsedFields.of(List.of(
                        new CheckResult(Policy.concurrency("a", 1), true, 1, 0, 0, 0),
                        new CheckResult(Policy.concurrency("a", 1), true, 1, 0, 0, 0))));
    }

    /** From one to four policies that share a request, of names that differ. */
    private static Generator<List<CheckResult>> answers() {
        Generator<Policy> policies = policies();
        Generator<CheckResult> results = dice -> result(policies.draw(dice), dice);
        return results.list(1, 4).map(drawn -> {
            Map<String, CheckResult> byName = new LinkedHashMap<>();
            drawn.forEach(result -> byName.putIfAbsent(result.policy().name(), result));
            return List.copyOf(byName.values());
        });
    }

    private static CheckResult result(Policy policy, Dice dice) {
        long remaining = dice.number(0, policy.capacity());
        long a = dice.number(0, Long.MAX_VALUE);
        long b = dice.number(0, Long.MAX_VALUE);
        boolean admitted = dice.chance(50);
        long retryAfter = admitted ? 0 : dice.number(1, Long.MAX_VALUE);
        return new CheckResult(policy, admitted, remaining, retryAfter, Math.min(a, b), Math.max(a, b));
    }

    private static Generator<Policy> policies() {
        Generator<String> names = Texts.between(' ', '~', 100)
                .map(text -> text.replaceAll("[\"\\\\]", "'").strip())
                .filter(name -> !name.isEmpty());
        Generator<Optional<Policy>> policies = dice -> policy(
                names.draw(dice),
                dice.oneOf(COUNTING),
                dice.number(1, MAX_COUNT),
                dice.number(1, MAX_COUNT),
                Duration.ofNanos(1_000 * windowMicros(dice)),
                dice.chance(50),
                dice.chance(50));
        return policies.filter(Optional::isPresent).map(Optional::get);
    }

    private static long windowMicros(Dice dice) {
        return dice.oneOf(
                dice.number(1, MAX_WINDOW_MICROS),
                dice.number(1, 10_000) * 1_000_000,
                dice.oneOf(500_000L, MAX_WINDOW_MICROS));
    }

    /** Empty for figures that are no policy. */
    private static Optional<Policy> policy(
            String name,
            Algorithm algorithm,
            long limit,
            long burst,
            Duration window,
            boolean atIntervals,
            boolean borrow) {
        try {
            return Optional.of(new Policy(PolicyMembers.of(name, algorithm, Math.min(limit, algorithm.maxLimit()))
                    .with(PolicyMember.WINDOW, window)
                    .with(PolicyMember.BURST, algorithm.accepts(Algorithm.Member.BURST) ? burst : 0)
                    .with(
                            PolicyMember.REFILL,
                            algorithm.accepts(Algorithm.Member.REFILL) && atIntervals ? Refill.INTERVAL : Refill.SMOOTH)
                    .with(PolicyMember.BORROW, algorithm.accepts(Algorithm.Member.BORROW) && borrow)
                    .with(
                            PolicyMember.MAX_WAIT,
                            algorithm.accepts(Algorithm.Member.MAX_WAIT) ? Duration.ofSeconds(burst % 86_400) : null)));
        } catch (InvalidPolicyException tooLarge) {
            return Optional.empty();
        }
    }

    private static List<Policy> largest(Algorithm algorithm) {
        Map<String, Policy> largest = new HashMap<>();
        Duration year = Duration.ofDays(366);
        for (long limit : new long[] {1, 2, 3, 71, 1_000_000, MAX_COUNT}) {
            for (long burst = MAX_COUNT; burst > 0; burst /= 2) {
                for (boolean flag : new boolean[] {true, false}) {
                    String name = algorithm + " " + limit + " " + flag;
                    policy(name, algorithm, limit, burst, year, flag, flag)
                            .ifPresent(policy -> largest.putIfAbsent(name, policy));
                }
            }
        }
        assertThat(largest).isNotEmpty();
        return List.copyOf(largest.values());
    }
}
