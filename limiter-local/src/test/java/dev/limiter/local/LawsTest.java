package dev.limiter.local;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The meaning of every algorithm's results, to the microsecond. Each result is tried out on a
 * copy of the same history.
 */
@Tag("proof")
class LawsTest {

    /**
     * Histories without leases, which come back at any time: their spans are hints, and no law.
     */
    private static Property<History> histories() {
        return History.forAll(policy -> policy.algorithm() != CONCURRENCY);
    }

    private static Property<History> drips() {
        return History.forAll(policy -> switch (policy.algorithm()) {
            case GCRA, UNIFORM -> true;
            case TOKEN_BUCKET -> policy.refill() == Refill.SMOOTH;
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, LEAKY_BUCKET, CONCURRENCY, GATE -> false;
        });
    }

    /** Histories without slots: there the full quota may be back while a request still waits. */
    private static Property<History> unheld() {
        return History.forAll(policy -> policy.algorithm() != CONCURRENCY && policy.algorithm() != LEAKY_BUCKET);
    }

    @Test
    void waitingRetryAfterPassesAndOneMicrosecondLessDoesNot() {
        histories().tries(3_000).check(history -> {
            CheckResult result = result(history.live());
            Discard.unless(!result.admitted());
            long cost = history.lastCost();
            assertThat(history.live()
                            .after(result.retryAfterMicros() - 1)
                            .ask(cost)
                            .admitted())
                    .isFalse();
            assertThat(history.live().after(result.retryAfterMicros()).ask(cost).admitted())
                    .isTrue();
        });
    }

    @Test
    void remainingUnitsPassAtOnceAndNoMore() {
        histories().tries(3_000).check(history -> {
            assertThat(history.live().drain()).isEqualTo(result(history.live()).remaining());
        });
    }

    @Test
    void moreThanRemainingIsThereAfterNextAndNotBefore() {
        histories().tries(3_000).check(history -> {
            CheckResult result = result(history.live());
            if (result.nextAfterMicros() == 0) {
                assertThat(result.remaining()).isEqualTo(result.policy().capacity());
                return;
            }
            assertThat(history.live().after(result.nextAfterMicros() - 1).drain())
                    .isEqualTo(result.remaining());
            assertThat(history.live().after(result.nextAfterMicros()).drain()).isGreaterThan(result.remaining());
        });
    }

    @Test
    void theFullQuotaIsThereAfterResetAndNotBefore() {
        unheld().tries(3_000).check(history -> {
            CheckResult result = result(history.live());
            long capacity = result.policy().capacity();
            assertThat(history.live().after(result.resetAfterMicros()).drain()).isEqualTo(capacity);
            if (result.resetAfterMicros() > 0) {
                assertThat(history.live().after(result.resetAfterMicros() - 1).drain())
                        .isLessThan(capacity);
            }
        });
    }

    @Test
    void noWindowWhereverItBeginsAdmitsMoreThanPromised() {
        unheld().tries(3_000).check(history -> {
            VirtualClock clock = new VirtualClock();
            LocalRateLimiter limiter = new LocalRateLimiter(clock);
            List<Long> admitted = new ArrayList<>();
            long now = 0;
            for (History.Step step : history.steps()) {
                clock.advance(step.waitMicros());
                now += step.waitMicros();
                while (limiter.acquire(history.policy(), PartitionKey.of("user", "alice"))
                        .admitted()) {
                    admitted.add(now);
                }
            }
            long window = history.policy().windowMicros();
            for (long from : admitted) {
                long inWindow = admitted.stream()
                        .filter(at -> at >= from && at < from + window)
                        .count();
                assertThat(inWindow)
                        .isLessThanOrEqualTo(history.policy().rules().mostInAnyWindow());
            }
        });
    }

    /**
     * A caller that always asks at the instant of the next unit gets what the rate promises, and
     * no more.
     */
    @Test
    void aSaturatingClientGetsWhatIsPromised() {
        histories().tries(200).check(history -> {
            Policy promised = manyPerWindow(history.policy());
            VirtualClock clock = new VirtualClock();
            LocalRateLimiter limiter = new LocalRateLimiter(clock);
            long windows = 20;
            long now = 0;
            long admitted = 0;
            while (now < windows * promised.windowMicros()) {
                CheckResult result = limiter.acquire(promised, PartitionKey.of("user", "alice"))
                        .results()
                        .get(0);
                admitted += result.admitted() ? 1 : 0;
                long wait = result.retryAfterMicros();
                clock.advance(wait);
                now += wait;
            }
            assertThat(admitted).isGreaterThanOrEqualTo(windows * promised.limit() * 99 / 100);
        });
    }

    /**
     * A cost of n is n requests of 1 at once, if all of them fit. A borrowing request needs a
     * single token only.
     */
    @Test
    void aCostOfManyIsAsManyRequests() {
        histories().tries(3_000).check(history -> {
            History.Lived together = history.live();
            long cost = history.lastCost();
            History.Lived oneByOne = history.live();
            Discard.unless(!history.policy().borrow() && result(oneByOne).remaining() >= cost);
            CheckResult last = null;
            for (long unit = 0; unit < cost; unit++) {
                last = oneByOne.ask(1).results().get(0);
            }
            CheckResult all = together.ask(cost).results().get(0);
            assertThat(all.remaining()).isEqualTo(last.remaining());
            assertThat(all.nextAfterMicros()).isEqualTo(last.nextAfterMicros());
            assertThat(all.resetAfterMicros()).isEqualTo(last.resetAfterMicros());
        });
    }

    /** At most {@code B + floor(length / T)} in any closed interval, of whatever length. */
    @Test
    void aBucketGivesNoIntervalMoreThanItsBurstAndWhatDripped() {
        drips().tries(1_000).check(history -> {
            Policy policy = history.policy();
            VirtualClock clock = new VirtualClock();
            LocalRateLimiter limiter = new LocalRateLimiter(clock);
            List<Long> admitted = new ArrayList<>();
            long now = 0;
            for (History.Step step : history.steps()) {
                clock.advance(step.waitMicros());
                now += step.waitMicros();
                while (limiter.acquire(policy, PartitionKey.of("user", "alice")).admitted()) {
                    admitted.add(now);
                }
            }
            for (int first = 0; first < admitted.size(); first++) {
                for (int last = first; last < admitted.size(); last++) {
                    long dripped = (admitted.get(last) - admitted.get(first)) * policy.limit() / policy.windowMicros();
                    assertThat((long) last - first + 1).isLessThanOrEqualTo(policy.capacity() + dripped);
                }
            }
        });
    }

    /**
     * The same algorithm in the same kind, with a limit of which a hundredth is more than one.
     */
    private static Policy manyPerWindow(Policy policy) {
        return new Policy(policy.members()
                .with(PolicyMember.LIMIT, 500L)
                .with(PolicyMember.WINDOW, Duration.ofSeconds(1))
                .with(PolicyMember.BURST, policy.algorithm().accepts(Algorithm.Member.BURST) ? 500L : 0L)
                .with(PolicyMember.MAX_WAIT, policy.maxWait().isZero() ? policy.maxWait() : Duration.ofMillis(10))
                .with(PolicyMember.ENFORCEMENT, Enforcement.ENFORCED));
    }

    @Test
    void aRejectionChangesNothing() {
        histories().tries(1_000).check(history -> {
            History.Lived lived = history.live();
            Discard.unless(!lived.last().admitted());
            for (int again = 0; again < 3; again++) {
                assertThat(lived.ask(history.lastCost())).isEqualTo(lived.last());
            }
        });
    }

    private static CheckResult result(History.Lived lived) {
        return lived.last().results().get(0);
    }
}
