package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.ForwardingRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Waits, and several groups at a time, as operators see them. Time is virtual. */
class OperatedRateLimiterTest {
    private static final Policy LIMIT = new Policy(PolicyMembers.of("p", Algorithm.FIXED_WINDOW, 1)
            .with(PolicyMember.WINDOW, Duration.ofSeconds(10))
            .with(PolicyMember.BAN, new Ban(Duration.ofMinutes(15), 2)));
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");
    private static final CheckGroup ASKED = CheckGroup.of(Check.of(LIMIT, KEY));

    private boolean storeIsAway;
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final RateLimiter alone = new LocalRateLimiter(now::get);
    private final RateLimiter waiting = new ForwardingRateLimiter(alone) {
        @Override
        public Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
            return new BlockingAcquire(this::micros, span -> now.updateAndGet(at -> at.plus(span)))
                    .acquire(limiter::acquire, limiter::refund, group, atMost);
        }

        @Override
        public ChargeResult charge(Policy policy, PartitionKey key, long units) {
            ChargeResult made = limiter.charge(policy, key, units);
            return new ChargeResult(
                    policy,
                    made.charged(),
                    made.dropped(),
                    made.remaining(),
                    made.used(),
                    made.nextAfterMicros(),
                    made.resetAfterMicros(),
                    storeIsAway);
        }

        private long micros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, now.get());
        }
    };
    private final Rejections rejections = new Rejections(System::nanoTime, policy -> true);
    private final Bans bans = new Bans(waiting);
    private final RateLimiter operated = new OperatedRateLimiter(
            waiting,
            rejections,
            new Candidates(),
            bans,
            new Forgiven((policy, key) -> {}, PartitionKey::text),
            check -> null);

    @Test
    void aCallerThatWaitsIsNeitherRejectedNorBannedMeanwhile() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            assertThat(operated.acquire(ASKED, Duration.ofSeconds(11)).admitted())
                    .isTrue();
        }
        assertThat(rejections.inTenMinutes("p")).isZero();
    }

    @Test
    void aWaitInVainIsOneRejection() throws InterruptedException {
        operated.acquire(ASKED);
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(1)).admitted()).isFalse();
        assertThat(rejections.inTenMinutes("p")).isEqualTo(1);
        operated.acquire(ASKED, Duration.ofSeconds(1));
        assertThat(operated.acquire(ASKED, Duration.ofSeconds(60)).results())
                .extracting(CheckResult::retryAfterMicros)
                .containsExactly(Duration.ofMinutes(15).toNanos() / 1_000);
    }

    /** A part of the number of the ban is spent there, and the store may be back at once. */
    @Test
    void whatOneInstanceCountsWhileTheStoreIsAwayBansNoCaller() {
        storeIsAway = true;
        for (int i = 0; i < 5; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        assertThat(operated.acquire(ASKED).admitted()).isTrue();
    }

    @Test
    void aBannedPartitionStaysClosedForSeveralGroupsAtATime() {
        for (int i = 0; i < 3; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        assertThat(alone.peek(LIMIT, KEY).admitted()).isTrue();
        CheckGroup other = CheckGroup.of(Check.of(LIMIT, PartitionKey.of("user", "bob")));
        assertThat(operated.acquireEach(List.of(ASKED, other)))
                .extracting(Decision::admitted)
                .containsExactly(false, true);
        assertThat(alone.peek(LIMIT, KEY).used()).as("spent").isZero();
    }

    @Test
    void whatIsLeftOfABannedPartitionIsWhatItsNextRequestIsTold() {
        for (int i = 0; i < 3; i++) {
            operated.acquire(ASKED);
        }
        now.updateAndGet(at -> at.plusSeconds(20));
        assertThat(bans.peek(ASKED)).isEqualTo(operated.acquire(ASKED).results());
    }
}
