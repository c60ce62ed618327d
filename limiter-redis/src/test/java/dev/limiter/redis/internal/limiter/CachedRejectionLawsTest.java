package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long a cached rejection holds, its result meanwhile, and the checks that it answers. */
@Tag("proof")
class CachedRejectionLawsTest {
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
}
