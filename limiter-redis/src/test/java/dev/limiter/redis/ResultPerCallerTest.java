package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.model.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Each of many equal callers gets the result of its place, and each of many partitions gets its
 * own refund.
 */
class ResultPerCallerTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");
    private static final PartitionKey CAROL = PartitionKey.of("user", "carol");

    @AutoClose
    private static final Stores stores = new Stores();

    private static Policy policy(String name, Algorithm algorithm) {
        return switch (algorithm) {
            case CONCURRENCY -> Policy.concurrency(name, 20);
            case LEAKY_BUCKET -> Policy.leakyBucket(name, 20, Duration.ofSeconds(10), Duration.ofSeconds(5));
            default -> Policy.of(name, algorithm, 20, Duration.ofSeconds(10));
        };
    }

    private static List<CheckResult> results(List<Decision> decisions) {
        return decisions.stream()
                .flatMap(decision -> decision.results().stream())
                .toList();
    }

    /**
     * The results are those of memory, where the callers come one after the other. Every third
     * admission is given back.
     */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "GATE")
    void equalCallersAreToldWhatTheyWouldBeToldOneAfterTheOther(Algorithm algorithm) {
        Policy policy = policy("p", algorithm);
        for (int callers : new int[] {2, 3, 10, 11, 12, 40}) {
            for (long cost : new long[] {1, Math.min(3, policy.maxCost())}) {
                Stores.Fresh fresh = stores.fresh(Stores.Store.REDIS);
                RateLimiter memory = new LocalRateLimiter(fresh.time());
                List<CheckGroup> asked =
                        List.of(CheckGroup.of(new Check(policy, ALICE, cost)).asRefundable());
                List<Decision> alone = new ArrayList<>();
                List<Decision> together = new ArrayList<>();
                for (int i = 0; i < callers; i++) {
                    alone.addAll(memory.acquireEach(asked));
                }
                for (List<?> each : ((MergingLimiter) fresh.limiter())
                        .askTogether(Collections.nCopies(callers, new Caller.Asks(asked)))) {
                    assertThat(each).hasSize(1);
                    together.add((Decision) each.get(0));
                }
                assertThat(results(together))
                        .as("%d callers of cost %d", callers, cost)
                        .isEqualTo(results(alone));
                fresh.time().advance(1_000);
                for (int i = 0; i < callers; i += 3) {
                    if (alone.get(i) instanceof Decision.Admitted mine) {
                        assertThat(fresh.limiter().refund((Decision.Admitted) together.get(i)))
                                .as("caller %d", i)
                                .isEqualTo(memory.refund(mine));
                    }
                    assertThat(fresh.limiter().peek(policy, ALICE)).isEqualTo(memory.peek(policy, ALICE));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"GATE", "LEAKY_BUCKET"}) // a group waits for one leaky bucket
    void eachPartitionOfAGroupGetsItsOwnBack(Algorithm algorithm) {
        for (Stores.Store store : Stores.Store.values()) {
            RateLimiter limiter = stores.fresh(store).limiter();
            Policy one = policy("one", algorithm);
            Policy other = policy("other", algorithm);
            List<Check> checks = List.of(
                    new Check(one, ALICE, Math.min(2, one.maxCost())),
                    new Check(one, BOB, Math.min(3, one.maxCost())),
                    new Check(other, BOB, Math.min(4, one.maxCost())),
                    new Check(other, CAROL, 1));
            Decision.Admitted taken = (Decision.Admitted) limiter.acquire(new CheckGroup(checks, true));
            for (Check check : checks) {
                assertThat(remaining(limiter, check)).isEqualTo(one.capacity() - check.cost());
            }
            assertThat(limiter.refund(taken.only(policy -> policy.name().equals("other"))))
                    .isTrue();
            for (Check check : checks) {
                boolean isBack = check.policy().equals(other);
                assertThat(remaining(limiter, check))
                        .as("%s in %s", check, store)
                        .isEqualTo(one.capacity() - (isBack ? 0 : check.cost()));
            }
            assertThat(limiter.refund(taken)).isTrue();
            for (Check check : checks) {
                assertThat(remaining(limiter, check))
                        .as("%s in %s", check, store)
                        .isEqualTo(one.capacity());
            }
            assertThat(limiter.refund(taken)).isFalse();
        }
    }

    private static long remaining(RateLimiter limiter, Check check) {
        return limiter.peek(check.policy(), check.key()).remaining();
    }
}
