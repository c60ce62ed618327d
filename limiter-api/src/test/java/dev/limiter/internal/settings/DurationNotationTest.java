package dev.limiter.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.testkit.property.Property;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("proof")
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

    /**
     * Durations up to 366 days. Every fourth one is whole in a larger unit, as durations in
     * configuration are.
     */
    @Test
    void whatIsWrittenIsReadBack() {
        long most = 31_622_400_000_000L;
        Property.<Long>forAll(dice -> {
                    long unit = dice.oneOf(1L, 1_000L, 1_000_000L, 60_000_000L, 3_600_000_000L, 86_400_000_000L);
                    return dice.chance(75) ? dice.number(1, most) : unit * dice.number(1, most / unit);
                })
                .tries(4_000)
                .check(micros -> {
                    Duration duration = Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
                    assertThat(DurationNotation.parse(DurationNotation.format(duration)))
                            .isEqualTo(duration);
                });
    }
}
