package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Patience;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.local.LocalRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a clock that stands: nothing here waits for a slot. */
class DelayTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy QUEUE = Policy.leakyBucket("queue", 1, Duration.ofSeconds(10), Duration.ofSeconds(20));
    private static final Policy API = Policy.of("api", Algorithm.GCRA, 5, Duration.ofSeconds(10));

    private static final Patience UNUSED = new Patience(() -> 0, span -> {
        throw new AssertionError("nobody was to wait for " + span);
    });

    private final RateLimiter limiter = new LocalRateLimiter(InstantSource.fixed(Instant.EPOCH));

    @Test
    void whoeverNeedNotWaitTakesNoPlace() throws Exception {
        Decision first = limiter.acquire(group());
        assertThat(new Delay(0, UNUSED, () -> false).untilItsSlot(first, limiter))
                .isSameAs(first);
    }

    @Test
    void whenAllPlacesAreTakenTheSlotIsGivenBackAndTheRequestRejectedUntilThen() {
        limiter.acquire(group());
        Decision second = new Delay(0, UNUSED, () -> false).untilItsSlot(limiter.acquire(group()), limiter);
        assertThat(second).isInstanceOfSatisfying(Decision.Rejected.class, rejected -> {
            assertThat(rejected.failing()).extracting(answer -> answer.policy()).containsExactly(QUEUE);
            assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(10));
            assertThat(rejected.answers().get(0).admitted()).isTrue();
            assertThat(rejected.answers().get(0).remaining()).isEqualTo(4);
        });
        assertThat(limiter.peek(QUEUE, ALICE).runAfterMicros()).isEqualTo(10_000_000);
        assertThat(limiter.peek(API, ALICE).remaining()).isEqualTo(4);
    }

    /** Held exactly until its slot, and then its place is another's. */
    @Test
    void whoeverIsHeldWaitsAndLeavesItsPlace() {
        List<Duration> waits = new ArrayList<>();
        Delay one = new Delay(1, new Patience(() -> 0, waits::add), () -> false);
        for (int i = 0; i < 3; i++) {
            Decision held = one.untilItsSlot(limiter.acquire(group()), limiter);
            assertThat(held.admitted()).isTrue();
        }
        assertThat(waits).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void aThreadThatWaitsForFreeIsNeverTurnedAway() {
        List<Duration> waits = new ArrayList<>();
        Delay none = new Delay(0, new Patience(() -> 0, waits::add), () -> true);
        for (int i = 0; i < 3; i++) {
            assertThat(none.untilItsSlot(limiter.acquire(group()), limiter).admitted())
                    .isTrue();
        }
        assertThat(waits).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void aServerThatStopsGivesTheSlotBack() {
        limiter.acquire(group());
        Decision second = limiter.acquire(group());
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> new Delay(1, Patience.ofThreads(), () -> false).untilItsSlot(second, limiter));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(limiter.peek(QUEUE, ALICE).runAfterMicros()).isEqualTo(10_000_000);
    }

    private static Group group() {
        return Group.of(Demand.of(API, ALICE), Demand.of(QUEUE, ALICE));
    }
}
