package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several admissions are settled at their sum, whatever the algorithm is. */
class SeveralAdmissionsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    static Stream<Policy> policies() {
        return Stream.of(Algorithm.values())
                .filter(each -> each.accepts(Member.COUNT_ON))
                .map(each -> Policy.of("tokens", each, 10, Duration.ofHours(1)))
                .filter(each -> each.maxCost() == 10);
    }

    /**
     * The end of a request gives back its admissions beside a settlement. The settlement finds
     * any of them given back. Only if it finds all given back, it comes too late.
     */
    @ParameterizedTest
    @MethodSource("policies")
    void whatWasGivenBackIsNotEstimated(Policy policy) {
        for (int givenBack = 0; givenBack < 8; givenBack++) {
            for (long used = 0; used <= 10; used++) {
                RateLimiter limiter = new LocalRateLimiter(new VirtualClock());
                List<Decision.Admitted> admissions = admissions(limiter, policy);
                for (int i = 0; i < 3; i++) {
                    if ((givenBack >> i & 1) == 1) {
                        limiter.refund(admissions.get(i));
                    }
                }
                assertThat(limiter.settle(Settlement.of(admissions, policy, used))
                                .remaining())
                        .as("%d used, given back were %s", used, Integer.toBinaryString(givenBack))
                        .isEqualTo(givenBack == 7 ? 10 : 10 - used);
                assertFinal(limiter, admissions, policy);
            }
        }
    }

    /** The store is asked for nothing if the estimates were exact, and the limit is the same. */
    @Test
    void exactEstimatesNeedNoCorrection() {
        Policy policy = Policy.of("tokens", Algorithm.FIXED_WINDOW, 10, Duration.ofHours(1));
        RateLimiter limiter = new LocalRateLimiter(new VirtualClock());
        assertThat(Settlement.of(admissions(limiter, policy), policy, 6).isExact())
                .isTrue();
        limiter.reset(policy, ALICE);
        Policy raised = Policy.of("tokens", Algorithm.FIXED_WINDOW, 20, Duration.ofHours(1));
        assertThat(Settlement.of(admissions(limiter, policy), raised, 6).isExact())
                .isFalse();
        limiter.reset(policy, ALICE);
        List<Decision.Admitted> admissions = admissions(limiter, policy);
        limiter.refund(admissions.get(2));
        Settlement settlement = Settlement.of(admissions, policy, 5);
        assertThat(settlement.isExact()).isFalse();
        assertThat(limiter.settle(settlement)).satisfies(result -> {
            assertThat(result.charged()).isZero();
            assertThat(result.used()).isEqualTo(5);
        });
    }

    private static List<Decision.Admitted> admissions(RateLimiter limiter, Policy policy) {
        List<Decision.Admitted> admissions = new ArrayList<>();
        for (long estimate : new long[] {3, 2, 1}) {
            admissions.add((Decision.Admitted) limiter.acquire(CheckGroup.of(new Check(policy, ALICE, estimate))));
        }
        return admissions;
    }

    private static void assertFinal(RateLimiter limiter, List<Decision.Admitted> admissions, Policy policy) {
        long left = limiter.peek(policy, ALICE).remaining();
        admissions.forEach(limiter::refund);
        limiter.settle(Settlement.of(admissions, policy, 0));
        limiter.settle(Settlement.of(admissions, policy, 9));
        assertThat(limiter.peek(policy, ALICE).remaining()).as("settled again").isEqualTo(left);
    }
}
