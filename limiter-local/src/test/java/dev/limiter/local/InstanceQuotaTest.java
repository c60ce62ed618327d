package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.OnStoreFailure.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.fallback.InstanceQuota;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The quota of one of several processes when the store fails. */
class InstanceQuotaTest {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    @Test
    void aRateIsDividedInItsWindowAndItsBurst() {
        Policy bucket = Policy.of("p", GCRA, 7, TEN).withBurst(10);
        assertThat(of(bucket, 4))
                .isEqualTo(Policy.of("p", GCRA, 7, Duration.ofSeconds(40)).withBurst(2));
        assertThat(of(Policy.of("p", UNIFORM, 7, TEN), 4))
                .isEqualTo(Policy.of("p", UNIFORM, 7, Duration.ofSeconds(40)));
        Policy tokens = Policy.of("p", TOKEN_BUCKET, 7, TEN).withBurst(3).borrowing();
        assertThat(of(tokens, 4))
                .isEqualTo(Policy.of("p", TOKEN_BUCKET, 7, Duration.ofSeconds(40))
                        .withBurst(1)
                        .borrowing());
        Policy queue = Policy.leakyBucket("p", 7, TEN, Duration.ofSeconds(30));
        assertThat(of(queue, 4)).isEqualTo(Policy.leakyBucket("p", 7, Duration.ofSeconds(40), Duration.ofSeconds(30)));
    }

    @Test
    void whatIsCountedIsDividedInItsUnits() {
        for (Algorithm algorithm : new Algorithm[] {FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG}) {
            assertThat(of(Policy.of("p", algorithm, 7, TEN), 4)).isEqualTo(Policy.of("p", algorithm, 1, TEN));
            assertThat(of(Policy.of("p", algorithm, 3, TEN), 4)).isEqualTo(Policy.of("p", algorithm, 1, TEN));
        }
        assertThat(of(Policy.concurrency("p", 9), 4)).isEqualTo(Policy.concurrency("p", 2));
        Policy intervals = Policy.of("p", TOKEN_BUCKET, 8, TEN).withBurst(17).withRefill(Refill.INTERVAL);
        assertThat(of(intervals, 4))
                .isEqualTo(Policy.of("p", TOKEN_BUCKET, 2, TEN).withBurst(4).withRefill(Refill.INTERVAL));
    }

    @Test
    void aWindowThatWouldBeTooLongIsKeptAndTheLimitDivided() {
        Duration year = Duration.ofDays(300);
        assertThat(of(Policy.of("p", GCRA, 100, year), 4)).isEqualTo(Policy.of("p", GCRA, 25, year));
        Policy slow = Policy.of("p", GCRA, 3, year).withBurst(100);
        assertThat(of(slow, 4)).isEqualTo(Policy.of("p", GCRA, 1, year).withBurst(25));
        assertThat(of(slow, 2)).as("50 would take too long").isEqualTo(Policy.of("p", GCRA, 1, year));
    }

    @Test
    void oneAloneHasAll() {
        Policy policy = Policy.of("p", GCRA, 7, TEN);
        assertThat(of(policy, 1)).isSameAs(policy);
    }

    /** Answers name the policy that was asked, with what is left of the part. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void fourProcessesAdmitAsMuchAsOneStore(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 8, TEN, TEN)
                : Policy.of("p", algorithm, 8, TEN);
        VirtualClock clock = new VirtualClock();
        FailingStore store = new FailingStore(new LocalRateLimiter(clock));
        store.state = FailingStore.State.DOWN;
        FallbackRateLimiter one = new FallbackRateLimiter(store, LOCAL, 4, Signals.NONE, new FollowingStore(clock));
        long admitted = 0;
        Decision decision = one.acquire(policy, ALICE);
        while (decision.admitted()) {
            admitted++;
            assertThat(decision.results().get(0).policy()).isEqualTo(policy);
            decision = one.acquire(policy, ALICE);
        }
        assertThat(admitted)
                .isEqualTo(
                        switch (algorithm) {
                            case UNIFORM -> 1;
                            case LEAKY_BUCKET -> 3; // at once, after 5 s, after 10 s
                            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, GCRA, TOKEN_BUCKET, CONCURRENCY -> 2;
                            case GATE -> throw new IllegalArgumentException("a gate counts nothing");
                        });
        assertThat(one.peek(policy, ALICE).remaining()).isZero();
    }

    @Test
    void aCostThatAPartCannotTakeIsCut() {
        Policy policy = Policy.of("p", SLIDING_LOG, 8, TEN);
        FailingStore store = new FailingStore(new LocalRateLimiter(new VirtualClock()));
        FallbackRateLimiter one =
                new FallbackRateLimiter(store, LOCAL, 4, Signals.NONE, new FollowingStore(new VirtualClock()));
        CheckGroup six = CheckGroup.of(new Check(policy, ALICE, 6));
        assertThat(one.acquire(six).results().get(0).remaining()).isEqualTo(2);
        assertThat(one.refund((Decision.Admitted) one.acquire(policy, ALICE))).isTrue();
        store.state = FailingStore.State.DOWN;
        assertThat(one.acquire(policy, ALICE).admitted())
                .as("its part is spent")
                .isFalse();
        one.charge(policy, ALICE, 1);
        assertThat(one.peek(policy, ALICE).remaining()).isZero();
    }

    /** Of 100 among four processes, each has 25, and is not said to have used the other 75. */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "GCRA", "TOKEN_BUCKET"})
    void usedIsWhatThisProcessCounts(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 100, TEN);
        FallbackRateLimiter one = oneOfFourAlone();
        assertThat(one.peek(policy, ALICE).used()).isZero();
        CheckResult result = one.acquire(CheckGroup.of(new Check(policy, ALICE, 3)))
                .results()
                .get(0);
        assertThat(result.remaining()).isEqualTo(22);
        assertThat(result.used()).isEqualTo(3);
        ChargeResult charge = one.charge(policy, ALICE, 2);
        assertThat(charge.remaining()).isEqualTo(20);
        assertThat(charge.used()).isEqualTo(5);
        assertThat(one.peek(policy, ALICE).used()).isEqualTo(5);
    }

    @Test
    void debtOfAPartIsNotBeyondTheLimit() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 100, TEN);
        FallbackRateLimiter one = oneOfFourAlone();
        assertThat(one.charge(policy, ALICE, 30).used()).isEqualTo(30);
        CheckResult result = one.peek(policy, ALICE);
        assertThat(result.remaining()).isZero();
        assertThat(result.overage()).isZero();
        assertThat(one.acquire(policy, ALICE).admitted()).isFalse();
    }

    @Test
    void aSoftLimitIsNotDivided() {
        Policy soft = Policy.of("p", FIXED_WINDOW, 100, TEN).asSoft();
        FallbackRateLimiter one = oneOfFourAlone();
        CheckResult result =
                one.acquire(CheckGroup.of(new Check(soft, ALICE, 30))).results().get(0);
        assertThat(result.remaining()).isEqualTo(70);
        assertThat(result.used()).isEqualTo(30);
        one.charge(soft, ALICE, 100);
        result = one.acquire(soft, ALICE).results().get(0);
        assertThat(result.admitted()).isTrue();
        assertThat(result.used()).isEqualTo(131);
        assertThat(result.overage()).isEqualTo(31);
    }

    private static FallbackRateLimiter oneOfFourAlone() {
        VirtualClock clock = new VirtualClock();
        FailingStore store = new FailingStore(new LocalRateLimiter(clock));
        store.state = FailingStore.State.DOWN;
        return new FallbackRateLimiter(store, LOCAL, 4, Signals.NONE, new FollowingStore(clock));
    }

    /**
     * A caller that waits less long than the policy allows is not held longer by a part either.
     */
    @Test
    void aPartHoldsNoRequestLongerThanItAsked() {
        Policy queue = Policy.leakyBucket("p", 8, TEN, TEN);
        FailingStore store = new FailingStore(new LocalRateLimiter(new VirtualClock()));
        store.state = FailingStore.State.DOWN;
        FallbackRateLimiter one =
                new FallbackRateLimiter(store, LOCAL, 4, Signals.NONE, new FollowingStore(new VirtualClock()));
        CheckGroup atOnce = CheckGroup.of(new Check(queue, ALICE, 1, "", 0));
        assertThat(one.acquire(atOnce).admitted()).isTrue();
        assertThat(one.acquire(atOnce).admitted()).isFalse();
        assertThat(one.acquire(queue, ALICE).admitted()).isTrue();
    }

    private static Policy of(Policy policy, int processes) {
        return new InstanceQuota(policy, LOCAL, processes, new AtomicLong()).own();
    }
}
