package dev.limiter.local;

import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.CONFIGURED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static dev.limiter.spi.RateLimiterProvider.EXPECTED_INSTANCES;
import static dev.limiter.spi.RateLimiterProvider.ON_STORE_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.ChargeResult;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fallback decides while the store is away, and what it records before. */
class FallbackFailureTest extends FallbackSituation {
    @ParameterizedTest
    @CsvSource({"1 day", "1 week", "1 month", "1 quarter", "1 year"})
    void aPeriodOfTheCalendarIsDividedAmongInstances(String period) {
        Policy plan = Policy.of("plan", 100, CalendarPeriod.parse(period));
        FallbackRateLimiter four = limiter(LOCAL, 4);
        assertThat(four.acquire(plan, ALICE).admitted()).isTrue();
        store.state = DOWN;
        for (int i = 1; i < 25; i++) {
            assertThat(four.acquire(plan, ALICE).admitted()).isTrue();
        }
        assertThat(four.acquire(plan, ALICE).admitted()).isFalse();
    }

    /** No invoice is written from what this process alone has counted. */
    @ParameterizedTest
    @CsvSource({"LOCAL", "OPEN", "CLOSED"})
    void whatAPeriodHasCountedIsToldByTheStoreAlone(OnStoreFailure configured) {
        Policy plan = Policy.of("plan", 10, CalendarPeriod.parse("1 month")).keepingPrevious();
        FallbackRateLimiter any = limiter(configured, 1);
        assertThat(any.acquire(plan, ALICE).admitted()).isTrue();
        assertThat(any.usage(plan, ALICE, Usage.Period.PRESENT).used()).isOne();
        store.state = DOWN;
        for (Usage.Period period : Usage.Period.values()) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> any.usage(plan, ALICE, period));
        }
    }

    /** The clock of this process is a minute ahead; the month ends by that of the store. */
    @Test
    void whatOthersSpentInAMonthIsNotSpentInTheNext() {
        Policy plan = Policy.of("plan", 5, CalendarPeriod.parse("1 month"));
        VirtualClock behind = new VirtualClock();
        FailingStore late = new FailingStore(new LocalRateLimiter(behind));
        FallbackRateLimiter ahead = new FallbackRateLimiter(late, LOCAL, 1, Signals.NONE, memory);
        long month = plan.period().endMicros(memory.nowMicros());
        behind.advance(month - 50_000_000 - behind.micros());
        clock.advance(month + 10_000_000 - clock.micros());
        late.charge(plan, ALICE, 5);
        assertThat(ahead.acquire(plan, ALICE).admitted()).isFalse();
        late.state = DOWN;
        assertThat(ahead.acquire(plan, ALICE).admitted()).isFalse();
        clock.advance(50_000_000);
        assertThat(ahead.acquire(plan, ALICE).admitted()).isTrue();
    }

    @Test
    void whatIsSpentInTheStoreIsSpentWhenItFails() {
        assertThat(drain(FIVE)).isEqualTo(5);
        seconds(1);
        store.state = DOWN;
        Decision sixth = limiter.acquire(FIVE, ALICE);
        assertThat(sixth.admitted()).isFalse();
        assertThat(sixth.fallback()).isTrue();
        assertThat(((Decision.Rejected) sixth).retryAfter()).isEqualTo(Duration.ofSeconds(9));
        seconds(9);
        assertThat(drain(FIVE)).isEqualTo(5);
    }

    @Test
    void anUnchargedAdmissionIsNotRecordedInTheMirror() {
        store.state = DOWN;
        FallbackRateLimiter storeWithGaps =
                new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(clock));
        FallbackRateLimiter outer = new FallbackRateLimiter(storeWithGaps, LOCAL, 1, Signals.NONE, memory);
        assertThat(outer.acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(memory.size()).isZero();
    }

    @Test
    void aLimitThatWasReachedNeverAsksTheFallback() {
        for (int i = 0; i < 5; i++) {
            store.inside.acquire(FIVE, ALICE); // by another process
        }
        assertThat(limiter.acquire(FIVE, ALICE)).matches(decision -> !decision.admitted() && !decision.fallback());
    }

    @Test
    void theMirrorIsNotAskedWhileTheStoreAnswers() {
        for (int i = 0; i < 5; i++) {
            mirror.acquire(FIVE, ALICE); // as if the clocks differed
        }
        Decision decision = limiter.acquire(FIVE, ALICE);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.results().get(0).remaining()).isEqualTo(4);
        assertThat(decision.fallback()).isFalse();
    }

    @Test
    void whatIsConfiguredHoldsForThoseThatSayNothing() {
        store.state = DOWN;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter(CLOSED, 1).acquire(FIVE, ALICE));
        assertThat(limiter(OPEN, 1).acquire(FIVE, ALICE).results()).containsExactly(CheckResult.notChecked(FIVE));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter(CONFIGURED, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter(LOCAL, 0));
    }

    @Test
    void theSettingsAreReadAndChecked() {
        store.state = DOWN;
        assertThat(configured(Map.of()).acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(configured(Map.of("limiter.on-store-failure", " open "))
                        .acquire(FIVE, ALICE)
                        .results())
                .containsExactly(CheckResult.notChecked(FIVE));
        FallbackRateLimiter one = configured(Map.of("limiter.expected-instances", "5"));
        assertThat(one.acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(one.acquire(FIVE, ALICE).admitted()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configured(Map.of("limiter.on-store-failure", "CONFIGURED")))
                .withMessage("limiter.on-store-failure: \"CONFIGURED\" is not one of LOCAL, CLOSED, OPEN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> configured(Map.of("limiter.expected-instances", "0")))
                .withMessageStartingWith("limiter.expected-instances: must be a whole number from 1 to");
    }

    private FallbackRateLimiter configured(Map<String, String> settings) {
        Settings named = name -> Optional.ofNullable(settings.get(name));
        return new FallbackRateLimiter(store, ON_STORE_FAILURE.in(named), EXPECTED_INSTANCES.in(named), Signals.NONE);
    }

    @Test
    void aRefundThatTheStoreMissesStillCountsInTheMirror() {
        Decision decision = limiter.acquire(FIVE, ALICE);
        Policy shut = FIVE.whenStoreFails(CLOSED);
        Policy open = FIVE.whenStoreFails(OPEN);
        Decision closed = limiter.acquire(group(shut, SHOW));
        Decision closedAtLast = limiter.acquire(group(SHOW, shut));
        Decision passed = limiter.acquire(open, PartitionKey.of("user", "bob"));
        store.state = DOWN;
        assertThat(refund(decision)).as("decided locally, as all else").isTrue();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(5);
        assertThat(refund(decision)).isFalse();
        assertThat(refund(passed)).as("nothing is kept of it").isFalse();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> refund(closed));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> refund(closedAtLast));
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(100);
    }

    /**
     * In the mirror a slot is as late as the store gave it, also where others have the slots
     * before.
     */
    @Test
    void aSlotOfTheFallbackComesAfterThoseOfTheStore() {
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofSeconds(1), Duration.ofSeconds(10));
        for (int i = 0; i < 4; i++) {
            store.inside.acquire(queue, ALICE); // by another process
        }
        Decision held = limiter.acquire(queue, ALICE);
        store.state = DOWN;
        assertThat(runAfter(limiter.acquire(queue, ALICE))).isEqualTo(Duration.ofSeconds(5));
        assertThat(refund(held)).as("it is not the last").isFalse();
    }

    @Test
    void aChargeIsRecordedInBothAndInTheMirrorAloneWhenTheStoreFails() {
        limiter.charge(FIVE, ALICE, 2);
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(3);
        assertThat(limiter.charge(FIVE, ALICE, 0)).isEqualTo(new ChargeResult(FIVE, 0, 0, 3, 10_000_000, 10_000_000));
        store.state = DOWN;
        assertThat(limiter.charge(FIVE, ALICE, 0))
                .isEqualTo(new ChargeResult(FIVE, 0, 0, 3, 2, 10_000_000, 10_000_000, true));
        ChargeResult charge = limiter.charge(FIVE, ALICE, 2);
        assertThat(charge).isEqualTo(new ChargeResult(FIVE, 2, 0, 1, 4, 10_000_000, 10_000_000, true));
        assertThat(drain(FIVE)).isEqualTo(1);
        store.state = UP;
        assertThat(drain(FIVE)).as("the store does not know").isZero();
        store.state = DOWN;
        assertThat(limiter.charge(FIVE.whenStoreFails(OPEN), ALICE, 2))
                .isEqualTo(ChargeResult.notCharged(FIVE.whenStoreFails(OPEN), 2));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.charge(FIVE.whenStoreFails(CLOSED), ALICE, 2));
    }

    /** The caller goes on asking, and its rejection would tell the mirror of spent units. */
    @Test
    void aRejectionDuringAResetIsForgottenWithTheRest() {
        drain(FIVE);
        store.beforeAReset =
                () -> assertThat(limiter.acquire(FIVE, ALICE).admitted()).isFalse();
        limiter.reset(FIVE, ALICE);
        store.state = DOWN;
        assertThat(drain(FIVE)).isEqualTo(5);
    }

    @Test
    void theFallbackServesAWaitingCaller() throws Exception {
        FallbackRateLimiter waiting = new FallbackRateLimiter(store, LOCAL, 1, Signals.NONE, new FollowingStore(clock));
        store.state = DOWN;
        CheckGroup group = group(FIVE);
        assertThat(waiting.acquire(group, Duration.ZERO).fallback()).isTrue();
    }
}
