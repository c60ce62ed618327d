package dev.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationNotationTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "10s, PT10S",
        "1m, PT1M",
        "2h, PT2H",
        "1d, P1D",
        "1m30s, PT1M30S",
        "PT1M, PT1M",
        "250us, PT0.00025S"
    })
    void readsAmountsWithUnits(String text, Duration expected) {
        assertThat(DurationNotation.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "60",
                "1 minute",
                "1x",
                "s",
                "1s1m",
                "1s1s",
                "-5s",
                "1.5s",
                " 1s",
                "1s ",
                "PT",
                "P1Y",
                "9999999999999d",
                "99999999999999d99999999999999h"
            })
    void whatHasNoUnitOrNoMeaningIsRefusedWithAnExample(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationNotation.parse(text))
                .withMessage(
                        "\"" + text + "\" is not a duration; write an amount and a unit, such as \"60s\" or \"1m\"");
    }

    @Property
    void whatIsWrittenIsReadBack(@ForAll @LongRange(min = 1, max = 31_622_400_000_000L) long micros) {
        Duration duration = Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
        assertThat(DurationNotation.parse(DurationNotation.format(duration))).isEqualTo(duration);
    }
}
