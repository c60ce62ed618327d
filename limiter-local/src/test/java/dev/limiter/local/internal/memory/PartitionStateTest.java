package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.internal.algorithm.StateSnapshot;
import dev.limiter.local.History;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A state knows when it may be forgotten: when the full quota is back, not earlier and not
 * later.
 */
@Tag("proof")
class PartitionStateTest {
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");

    @Test
    void aCellIsIdleExactlyWhenAllIsBack() {
        History.forAll(history -> true).tries(2_000).check(PartitionStateTest::isIdleExactlyWhenAllIsBack);
    }

    private static void isIdleExactlyWhenAllIsBack(History history) {
        PartitionState state = PartitionTable.untouched(history.policy());
        boolean lease = history.policy().algorithm() == Algorithm.CONCURRENCY;
        long now = 1_700_000_000_000_000L;
        assertThat(state.idleAtMicros()).isLessThanOrEqualTo(now);
        for (History.Step step : history.steps()) {
            now += step.waitMicros();
            Check check = new Check(history.policy(), KEY, step.cost());
            StateSnapshot snapshot = state.read(check, now, false);
            if (snapshot.fits()) {
                state.charge(check, now);
                CheckResult result = snapshot.result(check, true);
                long needed = lease ? history.policy().windowMicros() : result.resetAfterMicros();
                assertThat(state.idleAtMicros()).isEqualTo(now + needed);
            }
        }
    }
}
