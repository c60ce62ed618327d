package dev.limiter.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A value is read as the data sheet says, or refused with the setting's name and its rule. */
class SettingTest {
    private static final Setting<Duration> LEASE = Setting.duration("limiter.lease", "30s", "1s", "1h");
    private static final Setting<Integer> BITS = Setting.integer("limiter.bits", 64, 1, 128);
    private static final Setting<Boolean> ON = Setting.flag("limiter.on", true);
    private static final Setting<String> SECRET = Setting.text("limiter.secret");
    private static final Setting<Integer> LETTERS =
            Setting.of("limiter.letters", "abc", String::length).readAgain();

    private static Settings of(Setting<?> setting, String value) {
        Map<String, String> values = Map.of(setting.name(), value);
        return name -> Optional.ofNullable(values.get(name));
    }

    @Test
    void whatIsNotSetIsTheStandardAndNotSet() {
        Settings none = name -> Optional.empty();
        assertThat(LEASE.in(none)).isEqualTo(Duration.ofSeconds(30));
        assertThat(BITS.in(none)).isEqualTo(64);
        assertThat(ON.in(none)).isTrue();
        assertThat(SECRET.in(none)).isEmpty();
        assertThat(LETTERS.in(none)).isEqualTo(3);
        assertThat(List.of(LEASE, BITS, ON, SECRET, LETTERS))
                .allSatisfy(each -> assertThat(each.ifSet(none)).isEmpty());
    }

    @Test
    void whatIsSetIsRead() {
        assertThat(LEASE.in(of(LEASE, " 1s "))).isEqualTo(Duration.ofSeconds(1));
        assertThat(LEASE.ifSet(of(LEASE, "1h"))).contains(Duration.ofHours(1));
        assertThat(BITS.in(of(BITS, " 128 "))).isEqualTo(128);
        assertThat(BITS.in(of(BITS, "1"))).isEqualTo(1);
        assertThat(ON.in(of(ON, " False "))).isFalse();
        assertThat(SECRET.in(of(SECRET, " x ")))
                .as("blanks are part of a secret")
                .isEqualTo(" x ");
        assertThat(LETTERS.in(of(LETTERS, "abcde"))).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "999ms | must be from 1s to 1h, was \"999ms\"",
                "61m   | must be from 1s to 1h, was \"61m\"",
                "30    | \"30\" is not a duration; write an amount and a unit, such as \"60s\" or \"1m\"",
            })
    void aSpanBeyondItsRangeIsRefused(String written, String problem) {
        assertRefused(LEASE, written, problem);
    }

    @ParameterizedTest
    @CsvSource({"0", "129", "many", "٥", "99999999999"})
    void aNumberBeyondItsRangeIsRefused(String written) {
        assertRefused(BITS, written, "must be a whole number from 1 to 128, was \"" + written + '"');
    }

    @Test
    void whatIsNeitherTrueNorFalseIsRefused() {
        assertRefused(ON, " yes", "must be true or false, was \"yes\"");
    }

    private static void assertRefused(Setting<?> setting, String written, String problem) {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> setting.in(of(setting, written)))
                .withMessage(setting.name() + ": " + problem);
        assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> setting.ifSet(of(setting, written)));
    }

    @Test
    void itSaysItsRangeAndWhenItIsRead() {
        assertThat(LEASE.range()).isEqualTo("1s to 1h");
        assertThat(BITS.range()).isEqualTo("1 to 128");
        assertThat(ON.range()).isEmpty();
        assertThat(LEASE.isReadAgain()).isFalse();
        assertThat(LETTERS.isReadAgain()).isTrue();
        assertThat(LETTERS.standard()).isEqualTo("abc");
    }
}
