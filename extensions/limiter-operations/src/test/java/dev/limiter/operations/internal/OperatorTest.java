package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers and operators read of a result. */
class OperatorTest {
    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW, gold, 0, 0", "FIXED_WINDOW, , 1, 1", "GCRA, gold, 1000000, 1", "GCRA, , 1000001, 2"})
    void secondsAreRoundedUpAndWhatIsNotThereIsLeftOut(Algorithm algorithm, String tier, long micros, long seconds) {
        Policy policy = Policy.of("p", algorithm, 9, Duration.ofMinutes(1));
        Map<String, Object> told =
                new HashMap<>(Map.of("policy", "p", "limit", 9L, "used", 2L, "remaining", 7L, "resetAfter", seconds));
        if (algorithm == Algorithm.GCRA) {
            told.put("burst", 9L);
        }
        if (tier != null) {
            told.putAll(Map.of("tier", tier, "ofThisInstance", true));
        }
        assertThat(Operator.described(tier, new CheckResult(policy, true, 7, 2, 0, 0, 0, micros, tier != null)))
                .isEqualTo(told);
    }
}
