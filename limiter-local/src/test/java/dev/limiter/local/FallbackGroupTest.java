package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several policies in one group, and several groups in one call. */
class FallbackGroupTest extends FallbackSituation {
    /**
     * Of policies with windows of different lengths, only those that have not recovered ask the
     * mirror.
     */
    @Test
    void onlyThePoliciesThatHaveNotRecoveredAreAskedTwice() {
        CheckGroup group = group(FIVE, SHOW);
        store.state = DOWN;
        assertThat(limiter.acquire(group).admitted()).isTrue();
        store.state = UP;
        seconds(10);
        for (int i = 0; i < 5; i++) {
            mirror.acquire(FIVE, ALICE); // as if the clocks differed
        }
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.fallback()).isFalse();
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(98);
        store.state = DOWN;
        assertThat(limiter.acquire(group).admitted()).as("FIVE is spent here").isFalse();
        assertThat(mirror.peek(SHOW, ALICE).remaining()).as("all or nothing").isEqualTo(98);
    }

    @ParameterizedTest
    @CsvSource({
        "CLOSED, LOCAL,  unavailable",
        "CLOSED, OPEN,   unavailable",
        "OPEN,   CLOSED, unavailable",
        "LOCAL,  CLOSED, unavailable",
        "LOCAL,  OPEN,   rejected",
        "OPEN,   LOCAL,  admitted",
        "OPEN,   OPEN,   admitted",
        "LOCAL,  LOCAL,  rejected",
        "CONFIGURED, OPEN, rejected",
    })
    void closedBeatsLocalBeatsOpen(OnStoreFailure five, OnStoreFailure show, String outcome) {
        CheckGroup group = group(FIVE.whenStoreFails(five), SHOW.whenStoreFails(show));
        for (int i = 0; i < 5; i++) {
            limiter.acquire(group);
        }
        store.state = DOWN;
        if (outcome.equals("unavailable")) {
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(group));
            assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.peek(group));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> limiter.acquireEach(List.of(CheckGroup.of(Check.of(FIVE, ALICE)), group)));
            return;
        }
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isEqualTo(outcome.equals("admitted"));
        assertThat(decision.results()).allMatch(CheckResult::fallback);
        assertThat(decision.results())
                .extracting(CheckResult::policy)
                .containsExactly(
                        group.checks().get(0).policy(), group.checks().get(1).policy());
        assertThat(limiter.acquireEach(List.of(group)).get(0).admitted()).isEqualTo(decision.admitted());
        assertThat(limiter.peek(group)).allMatch(CheckResult::fallback);
    }

    @Test
    void aShadowKeepsItsRole() {
        Policy shadow =
                Policy.of("shadow", FIXED_WINDOW, 1, Duration.ofMinutes(1)).asShadow();
        CheckGroup group = group(shadow, SHOW);
        limiter.acquire(group);
        limiter.acquire(group);
        assertThat(mirror.peek(SHOW, ALICE).remaining()).isEqualTo(98);
        store.state = DOWN;
        Decision decision = limiter.acquire(group);
        assertThat(decision.admitted()).isTrue();
        assertThat(decision.results().get(0).admitted()).isFalse();
        CheckGroup closed = group(shadow.whenStoreFails(CLOSED), SHOW);
        assertThat(limiter.acquire(closed).admitted()).as("it has no say").isTrue();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .as("but of shadows alone")
                .isThrownBy(() -> limiter.acquire(shadow.whenStoreFails(CLOSED), ALICE));
    }

    /**
     * The mirror has given back both, and the store has not. So the rejection that follows tells
     * the mirror anew that a limit is spent, whatever its place in the group.
     */
    @Test
    void eachLimitOfAGroupThatIsGivenBackInAnOutageIsRecordedAgain() {
        Policy first = Policy.of("first", FIXED_WINDOW, 1, Duration.ofMinutes(1));
        Policy second = Policy.of("second", FIXED_WINDOW, 1, Duration.ofMinutes(1));
        Decision decision = limiter.acquire(group(first, second));
        for (Policy each : List.of(first, second)) {
            assertThat(drain(each)).isZero();
        }
        store.state = DOWN;
        assertThat(refund(decision)).isTrue();
        for (Policy each : List.of(first, second)) {
            assertThat(mirror.peek(each, ALICE).remaining()).isOne();
            store.state = UP;
            assertThat(drain(each)).as("the store has missed it").isZero();
            store.state = DOWN;
            assertThat(drain(each)).isZero();
        }
    }

    /**
     * The mirror has admitted first, during the recovery. The store fails again, and the other
     * policy is {@code CLOSED}.
     */
    @Test
    void whatWasReservedForAGroupThatIsUnavailableIsGivenBack() {
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        CheckGroup group = group(FIVE, SHOW.whenStoreFails(CLOSED));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(group));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(List.of(group, group)));
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    /** The same where no lease of the other policy is free, which the mirror finds later. */
    @Test
    void whatWasReservedForAGroupThatLacksALeaseIsGivenBack() {
        Policy jobs = Policy.concurrency("jobs", 1);
        assertThat(limiter.acquire(jobs, ALICE).admitted()).isTrue();
        store.state = DOWN;
        assertThat(limiter.acquire(FIVE, ALICE).admitted()).isTrue();
        assertThat(limiter.acquire(group(FIVE, jobs)).admitted()).isFalse();
        assertThat(mirror.peek(FIVE, ALICE).remaining()).isEqualTo(4);
    }

    /**
     * Three groups, of which the second needs a node that is down; then 150 of them.
     */
    @Test
    void aNodeThatIsDownConcernsItsOwnGroupsOnly() {
        PartitionKey bob = PartitionKey.of("user", "bob");
        store.away.add(bob);
        CheckGroup mine = group(SHOW);
        CheckGroup local = CheckGroup.of(Check.of(SHOW, bob));
        List<Decision> decisions = limiter.acquireEach(List.of(mine, local, mine));
        assertThat(decisions).extracting(Decision::admitted).containsOnly(true);
        assertThat(decisions).extracting(Decision::fallback).containsExactly(false, true, false);

        CheckGroup closed = CheckGroup.of(Check.of(SHOW.whenStoreFails(CLOSED), bob));
        List<CheckGroup> many = new ArrayList<>(Collections.nCopies(150, mine));
        many.set(1, closed);
        many.set(2, local);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(many))
                .satisfies(failure -> {
                    assertThat(failure.decision(0).map(Decision::fallback)).contains(false);
                    assertThat(failure.decision(1)).isEmpty();
                    assertThat(failure.decision(2).map(Decision::fallback)).contains(true);
                    assertThat(failure.decision(149).map(Decision::admitted)).contains(false);
                    assertThat(failure.decision(150)).isEmpty();
                });
        assertThat(store.inside.peek(SHOW, ALICE).remaining()).isZero();
        assertThat(mirror.peek(SHOW, ALICE).remaining())
                .as("what the store admitted is in the mirror, although the call failed")
                .isZero();
    }

    @Test
    void severalGroupsAreDecidedInTheirOrder() {
        CheckGroup five = group(FIVE);
        CheckGroup show = group(SHOW);
        store.state = DOWN;
        for (int i = 0; i < 4; i++) {
            limiter.acquire(five);
        }
        store.state = UP;
        List<Decision> decisions = limiter.acquireEach(List.of(show, five, five, show));
        assertThat(decisions).extracting(Decision::admitted).containsExactly(true, true, false, true);
        assertThat(decisions).extracting(Decision::fallback).containsExactly(false, false, true, false);
        List<CheckGroup> many = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            many.add(show);
        }
        store.state = DOWN;
        assertThat(limiter.acquireEach(many)).filteredOn(Decision::admitted).hasSize(98);
    }
}
