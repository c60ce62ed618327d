package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.redis.internal.limiter.CachedRejection;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.redis.internal.node.ClockWatch;
import dev.limiter.spi.Signals;
import dev.limiter.spi.algorithm.Packed;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Until when a rejection is known, what it then says and to which checks;. */
class RememberedLawsTest {
    private static final long TEN_SECONDS = 10_000_000_000L;
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    private static Policy policy(Algorithm algorithm, String name) {
        return switch (algorithm) {
            case CONCURRENCY -> Policy.concurrency(name, 5);
            case LEAKY_BUCKET -> Policy.leakyBucket(name, 5, Duration.ofHours(10), Duration.ZERO);
            default -> Policy.of(name, algorithm, 5, Duration.ofHours(10));
        };
    }

    private static final Policy POLICY = policy(Algorithm.GCRA, "p");

    /** A result of the store, with the instant and the duration of the call. */
    private record Said(long retry, long next, long reset, long askedNanos, long tookNanos, long laterNanos) {
        static Said draw(Dice dice) {
            long next = dice.number(1, 20_000_000);
            long retry = dice.chance(50) ? next : dice.number(next, 40_000_000);
            long reset = dice.number(next, 40_000_000);
            return new Said(
                    retry,
                    next,
                    reset,
                    dice.oneOf(0L, Long.MAX_VALUE - 5_000_000_000L, -7L), // this clock may run over
                    dice.number(0, 100_000_000),
                    dice.number(0, 12_000_000_000L));
        }

        Decision.Rejected decision() {
            return new Decision.Rejected(
                    List.of(new CheckResult(POLICY, false, 0, retry, next, reset)), 1_700_000_000L);
        }
    }

    @Test
    void itHoldsWhileTheStoreWouldSayTheSameAndTenSecondsAtMost() {
        Property.forAll(Said::draw).tries(20_000).check(said -> {
            long arrived = said.askedNanos + said.tookNanos;
            CachedRejection known =
                    new CachedRejection(Check.of(POLICY, ALICE), said.decision(), said.askedNanos, arrived);
            long valid = Math.min(said.next * 1_000 - said.next, TEN_SECONDS);
            assertThat(known.holdsAt(said.askedNanos + valid - 1)).isTrue();
            assertThat(known.holdsAt(said.askedNanos + valid)).isFalse();
            assertThat(known.holdsAt(said.askedNanos + said.laterNanos)).isEqualTo(said.laterNanos < valid);
            long now = said.askedNanos + said.laterNanos;
            if (known.holdsAt(now)) {
                long passed = Math.max(0, said.laterNanos - said.tookNanos) / 1_000;
                Decision.Rejected then = known.decision(now);
                assertThat(then.atMicros()).isEqualTo(1_700_000_000L + passed);
                assertThat(then.results())
                        .containsExactly(new CheckResult(
                                POLICY, false, 0, said.retry - passed, said.next - passed, said.reset - passed));
            }
        });
    }

    @Test
    void itAnswersTheSameDemandAndConcernsAnyOfThePartition() {
        Check asked = new Check(POLICY, ALICE, 2);
        Said said = new Said(5, 5, 5, 0, 0, 0);
        CachedRejection known = new CachedRejection(asked, said.decision(), 0, 0);
        PartitionKey aliceAgain = PartitionKey.of("user", "alice");
        PartitionKey bob = PartitionKey.of("user", "bob");
        assertThat(known.answers(asked)).isTrue();
        assertThat(known.answers(new Check(policy(Algorithm.GCRA, "p"), aliceAgain, 2)))
                .isTrue();
        assertThat(known.answers(new Check(POLICY, ALICE, 1))).isFalse();
        assertThat(known.answers(new Check(POLICY, bob, 2))).isFalse();
        assertThat(known.answers(new Check(POLICY.withBurst(9), ALICE, 2))).isFalse();
        assertThat(known.answers(new Check(policy(Algorithm.GCRA, "q"), ALICE, 2)))
                .isFalse();
        assertThat(known.concerns(POLICY.withBurst(9), aliceAgain)).isTrue();
        assertThat(known.concerns(policy(Algorithm.SLIDING_LOG, "p"), ALICE)).isTrue();
        assertThat(known.concerns(policy(Algorithm.GCRA, "q"), ALICE)).isFalse();
        assertThat(known.concerns(POLICY, bob)).isFalse();
    }

    /** Slots and leases come back at any time; where units are left, others may take them. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void onlyWhatEndsByTheClockIsRemembered(Algorithm algorithm) {
        boolean ends = algorithm != Algorithm.LEAKY_BUCKET && algorithm != Algorithm.CONCURRENCY;
        Policy policy = algorithm == Algorithm.GATE ? POLICY.gate() : policy(algorithm, "p");
        CheckResult spent = new CheckResult(policy, false, 0, 5, 5, 5);
        assertThat(CachedRejection.isPossible(new Decision.Rejected(List.of(spent), 7)))
                .isEqualTo(ends);
        CheckResult fallback = new CheckResult(policy, false, 0, 0, 0, 5, 5, 5, true);
        assertThat(CachedRejection.isPossible(new Decision.Rejected(List.of(fallback), 7)))
                .isFalse();
        if (policy.capacity() > 1) {
            CheckResult left = new CheckResult(policy, false, 1, 5, 5, 5);
            assertThat(CachedRejection.isPossible(new Decision.Rejected(List.of(left), 7)))
                    .isFalse();
        }
    }

    private final List<List<String>> asked = new ArrayList<>();

    /** Says 0 to everything: refused, nothing there, waiting. */
    private ScriptExecutor silent() {
        return new ScriptExecutor(null, () -> 0, Signals.NONE, key -> new ClockWatch(Signals.NONE)) {
            @Override
            public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
                List<String> words = new ArrayList<>(List.of(String.valueOf(replyBytes)));
                keys.forEach(key -> words.add(new String(key, StandardCharsets.US_ASCII)));
                arguments.forEach(argument -> words.add(new String(argument, StandardCharsets.ISO_8859_1)));
                asked.add(words);
                return new byte[100];
            }
        };
    }

    private static String packed(long... numbers) {
        return new String(Packed.packed(numbers), StandardCharsets.ISO_8859_1);
    }

    /** Charges and refunds have replies of a few bytes: they wait for no large call. */
    @Test
    void anAdjustmentExpectsAShortReply() {
        silent().run(Program.adjustments(), List.of(Packed.of("key")), List.of(Packed.of("charge")));
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).endsWith("key", "charge");
        assertThat(asked.get(0).get(0)).as("what it may hear").matches("\\D*(0\\D*)+");
    }

    /** Keys and arguments, however many groups; the text of a script counts for no caller. */
    @Test
    void aQuestionTakesAsManyBytesAsItsKeysAndArguments() {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("bytes", ""));
        CheckGroup one = CheckGroup.of(Check.of(POLICY, ALICE));
        CheckGroup two = CheckGroup.of(Check.of(POLICY, ALICE), Check.of(policy(Algorithm.SLIDING_LOG, "q"), ALICE));
        for (DecisionCall call : List.of(
                DecisionCall.decide(policies, one),
                DecisionCall.decide(policies, two),
                DecisionCall.peek(policies, two),
                DecisionCall.decideEach(policies, Collections.nCopies(9, two)))) {
            int bytes = 0;
            for (byte[][] parts : List.of(call.keys(), call.arguments())) {
                for (byte[] part : parts) {
                    bytes += part.length;
                }
            }
            assertThat(call.bytes()).isEqualTo(bytes);
            assertThat(call.decisionCall()).isSameAs(call);
            assertThat(call.isLarge()).isFalse();
        }
    }

    /**
     * A name that fits and needs no other letters is written as it is; each other one ends with
     * its digest.
     */
    @Test
    void anApplicationIsReadAsItIsUpToSixtyFourCharacters() {
        for (int length : new int[] {0, 1, 50, 51, 52, 63, 64, 65, 66, 200}) {
            for (String letter : List.of("a", "Z", "9", ".", "_", "-", "/", " ", ":", "{", "~", "ä")) {
                String name = letter.repeat(length);
                byte[] prefix = new RedisKeys(name, "").prefix(POLICY);
                String written = new String(prefix, StandardCharsets.US_ASCII).split(":")[1];
                boolean plain = length == 0 || "aZ9._-/".contains(letter) && length <= 64;
                if (plain) {
                    assertThat(written).isEqualTo(name);
                } else {
                    String shown = "aZ9._-/".contains(letter) ? letter : "_";
                    assertThat(written)
                            .matches(Pattern.quote(shown.repeat(Math.min(length, 51))) + "~[A-Za-z0-9_-]{12}");
                }
            }
        }
    }
}
