package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Waits on a clock that stands: no thread waits for a slot. */
class SlotWaitTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey MALLORY = PartitionKey.of("user", "mallory");
    private static final Policy QUEUE = Policy.leakyBucket("queue", 1, Duration.ofSeconds(10), Duration.ofSeconds(20));
    private static final Policy API = Policy.of("api", Algorithm.GCRA, 5, Duration.ofSeconds(10));

    private static final SlotWait.Pause UNUSED = (span, ended) -> {
        throw new AssertionError("nobody was to wait for " + span);
    };

    private final RateLimiter limiter = new LocalRateLimiter(InstantSource.fixed(Instant.EPOCH));

    @Test
    void aRequestThatNeedNotWaitTakesNoPlace() throws Exception {
        Decision first = limiter.acquire(group());
        assertThat(delay(0, UNUSED).untilItsSlot(first, group(), limiter)).isSameAs(first);
    }

    @Test
    void whenAllPlacesAreTakenTheSlotIsGivenBackAndTheRequestRejectedUntilThen() {
        limiter.acquire(group());
        Decision second = delay(0, UNUSED).untilItsSlot(limiter.acquire(group()), group(), limiter);
        assertThat(second).isInstanceOfSatisfying(Decision.Rejected.class, rejected -> {
            assertThat(rejected.failing()).extracting(answer -> answer.policy()).containsExactly(QUEUE);
            assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(10));
            assertThat(rejected.results().get(0).admitted()).isTrue();
            assertThat(rejected.results().get(0).remaining()).isEqualTo(4);
        });
        assertThat(limiter.peek(QUEUE, ALICE).runAfterMicros()).isEqualTo(10_000_000);
        assertThat(limiter.peek(API, ALICE).remaining()).isEqualTo(4);
    }

    /** Held exactly until its slot, and then its place is another's. */
    @Test
    void aHeldRequestWaitsAndLeavesItsPlace() {
        List<Duration> waits = new ArrayList<>();
        SlotWait one = delay(1, until(waits));
        for (int i = 0; i < 3; i++) {
            Decision held = one.untilItsSlot(limiter.acquire(group()), group(), limiter);
            assertThat(held.admitted()).isTrue();
        }
        assertThat(waits).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void aThreadThatWaitsForFreeIsNeverTurnedAway() {
        List<Duration> waits = new ArrayList<>();
        SlotWait none = new SlotWait(new SlotWaitPlaces(0), until(waits), () -> true, new StoreFailureLog());
        for (int i = 0; i < 3; i++) {
            assertThat(none.untilItsSlot(limiter.acquire(group()), group(), limiter)
                            .admitted())
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
                .isThrownBy(() -> delay(1, SlotWait.Pause.OF_THREADS).untilItsSlot(second, group(), limiter));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(limiter.peek(QUEUE, ALICE).runAfterMicros()).isEqualTo(10_000_000);
    }

    /** A shadow that did not fit was not charged, and still has its place among the answers. */
    @Test
    void theAnswersAreThoseOfTheQuestion() {
        Policy shadow = Policy.of("shadow", Algorithm.SLIDING_LOG, 1, Duration.ofSeconds(10))
                .asShadow();
        CheckGroup group = CheckGroup.of(Check.of(shadow, ALICE), Check.of(API, ALICE), Check.of(QUEUE, ALICE));
        limiter.acquire(group);
        Decision second = delay(0, UNUSED).untilItsSlot(limiter.acquire(group), group, limiter);
        assertThat(second.results()).extracting(CheckResult::policy).containsExactly(shadow, API, QUEUE);
        assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(false, true, false);
    }

    @Test
    void aStoreThatFailsMeanwhileMakesNoFailureOfARejection() {
        FailingStore store = new FailingStore(limiter);
        store.acquire(group());
        Decision second = store.acquire(group());
        store.fails = true;
        LogLines log = new LogLines("dev.limiter.store");
        Decision rejected = delay(0, UNUSED).untilItsSlot(second, group(), store);
        assertThat(log.taken()).singleElement().asString().contains("may stay spent");
        log.close();
        assertThat(rejected).isInstanceOfSatisfying(Decision.Rejected.class, crowded -> {
            assertThat(crowded.failing()).extracting(CheckResult::policy).containsExactly(QUEUE);
            assertThat(crowded.retryAfter()).isEqualTo(Duration.ofSeconds(10));
            assertThat(crowded.results()).hasSize(2);
        });
    }

    /** A slot that only the mirror gave is not reported as the store's when it is given back. */
    @Test
    void whatTheFallbackSaysStaysTheFallbacks() {
        FailingStore store = new FailingStore(limiter);
        RateLimiter fallback = new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, Signals.NONE);
        fallback.acquire(group());
        store.fails = true;
        Decision second = fallback.acquire(group());
        Decision rejected = delay(0, UNUSED).untilItsSlot(second, group(), fallback);
        assertThat(rejected.admitted()).isFalse();
        assertThat(rejected.results()).hasSize(2).allMatch(CheckResult::fallback);
    }

    @Test
    void aShadowLeakyBucketRejectsNoRequestForWantOfAThread() {
        Policy trial = Policy.leakyBucket("trial", 1, Duration.ofSeconds(10), Duration.ofSeconds(20))
                .asShadow();
        CheckGroup group = CheckGroup.of(Check.of(trial, ALICE), Check.of(QUEUE, ALICE));
        limiter.acquire(group);
        Decision second = delay(0, UNUSED).untilItsSlot(limiter.acquire(group), group, limiter);
        assertThat(second.results()).extracting(CheckResult::admitted).containsExactly(true, false);
    }

    private static SlotWait delay(int places, SlotWait.Pause pause) {
        return new SlotWait(new SlotWaitPlaces(places), pause, () -> false, new StoreFailureLog());
    }

    private static SlotWait.Pause until(List<Duration> waits) {
        return (span, ended) -> {
            waits.add(span);
            return false;
        };
    }

    /**
     * Mallory holds both places when alice comes: each request comes while the one before is
     * held.
     */
    @Test
    void whatHoldsTheMostPlacesGivesOneBackToAnotherPartition() {
        List<String> ends = new ArrayList<>();
        int[] held = {0};
        SlotWait[] two = new SlotWait[1];
        two[0] = delay(2, (span, ended) -> {
            switch (++held[0]) {
                case 1 -> ends.add("mallory's second: " + held(two[0], MALLORY).admitted());
                case 2 -> ends.add("alice's: " + held(two[0], ALICE).admitted());
                default -> {}
            }
            return ended.getCount() == 0;
        });
        limiter.acquire(QUEUE, ALICE);
        limiter.acquire(QUEUE, MALLORY);
        assertThat(held(two[0], MALLORY).admitted()).isTrue();
        assertThat(ends).containsExactly("alice's: true", "mallory's second: false");
        assertThat(limiter.peek(QUEUE, MALLORY).runAfterMicros())
                .as("its slot is given back")
                .isEqualTo(20_000_000);
    }

    private Decision held(SlotWait delay, PartitionKey caller) {
        CheckGroup group = CheckGroup.of(Check.of(QUEUE, caller));
        return delay.untilItsSlot(limiter.acquire(group), group, limiter);
    }

    private static CheckGroup group() {
        return CheckGroup.of(Check.of(API, ALICE), Check.of(QUEUE, ALICE));
    }
}
