package dev.limiter.jaxrs.internal.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.spi.InvalidSettingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {
    private static final Policy POLICY = Policy.of("p", Algorithm.UNIFORM, 1, Duration.ofHours(2));

    @ParameterizedTest
    @CsvSource({"1, 1", "999999, 1", "1000000, 1", "1000001, 2", "9999999, 10"})
    void itIsRoundedUpAndAtLeastOne(long micros, long seconds) {
        assertThat(RetryAfterHeader.EXACT.seconds(rejected(micros))).isEqualTo(seconds);
    }

    /** From the exact wait to that wait plus the jitter. */
    @ParameterizedTest
    @CsvSource({"1000000, 0, 1", "1000000, 1, 2", "1000000, 30000000000, 31", "1, 30000000000, 31"})
    void jitterOnlyEverAdds(long micros, long drawnNanos, long seconds) {
        RetryAfterHeader jittered = new RetryAfterHeader(Duration.ofSeconds(30).toNanos(), bound -> {
            assertThat(bound).isEqualTo(30_000_000_001L);
            return drawnNanos;
        });
        assertThat(jittered.seconds(rejected(micros))).isEqualTo(seconds);
    }

    @Test
    void itIsOffUnlessConfigured() {
        assertThat(RetryAfterHeader.configured(name -> Optional.empty())).isSameAs(RetryAfterHeader.EXACT);
        RetryAfterHeader jittered = configured("30s");
        for (int i = 0; i < 1_000; i++) {
            assertThat(jittered.seconds(rejected(5_000_000))).isBetween(5L, 35L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"30", "-1s", "2h", "much"})
    void whatIsNoJitterIsRefused(String text) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> configured(text))
                .withMessageStartingWith("limiter.retry-after-jitter: ");
    }

    private static RetryAfterHeader configured(String text) {
        return RetryAfterHeader.configured(name ->
                Optional.ofNullable(Map.of("limiter.retry-after-jitter", text).get(name)));
    }

    private static Decision.Rejected rejected(long micros) {
        return new Decision.Rejected(List.of(new CheckResult(POLICY, false, 0, micros, micros, micros)), 0);
    }
}
