package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

    @ParameterizedTest
    @MethodSource("policies")
    void whatIsLeftIsAsIfTheUsedUnitsHadBeenAsked(Policy policy) {
        for (long used = 0; used <= 10; used++) {
            try (RateLimiter limiter = new LocalRateLimiter(InstantSource.fixed(Instant.ofEpochSecond(1_000)))) {
                List<Decision.Admitted> admissions = new ArrayList<>();
                for (long estimate : new long[] {3, 2, 1}) {
                    admissions.add(
                            (Decision.Admitted) limiter.acquire(CheckGroup.of(new Check(policy, ALICE, estimate))));
                }
                assertThat(Settlement.settle(limiter, admissions, policy, used).remaining())
                        .as("%d used", used)
                        .isEqualTo(10 - used);
                admissions.forEach(limiter::refund);
                Settlement.settle(limiter, admissions, policy, 0);
                assertThat(limiter.peek(policy, ALICE).remaining())
                        .as("%d used, and settled again", used)
                        .isEqualTo(10 - used);
            }
        }
    }
}
