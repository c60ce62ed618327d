package dev.limiter.jaxrs.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusSetTest {

    @ParameterizedTest
    @CsvSource({
        "5xx, 500, 599, 100",
        "!5xx, 100, 499, 400",
        "'401,403', 401, 403, 2",
        "' 401 , 403 ', 401, 403, 2",
        "'4xx,503', 400, 503, 101",
        "!404, 100, 599, 499",
        "'404,404', 404, 404, 1",
        "'', 100, 599, 500",
        "' ', 100, 599, 500",
    })
    void theStatusesThatCount(String text, int first, int last, int many) {
        StatusSet counted = StatusSet.parse(text);
        int[] statuses = IntStream.range(100, 600).filter(counted::contains).toArray();
        assertThat(statuses).hasSize(many).startsWith(first).endsWith(last);
        assertThat(counted.isAll()).isEqualTo(text.isBlank());
        assertThat(counted.text()).isEqualTo(text.strip());
    }

    /** Servers also send statuses beyond all classes: these count. */
    @ParameterizedTest
    @ValueSource(strings = {"5xx", "!5xx", "404"})
    void aStatusBeyondAllClassesCounts(String text) {
        assertThat(StatusSet.parse(text).contains(600)).isTrue();
        assertThat(StatusSet.parse(text).contains(999)).isTrue();
        assertThat(StatusSet.parse(text).contains(-1)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "6xx", "0xx", "5XX", "5x", "5xxx", "99", "600", "!", "!!5xx", "5xx,", ",", "4xx;5xx", "40１", "-404"
            })
    void whatIsNoStatusIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StatusSet.parse(text))
                .withMessageContaining("\"" + text + "\" is not a status; write statuses and classes");
    }

    @Test
    void oneNegationStandsAlone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StatusSet.parse("!4xx,5xx"))
                .withMessageStartingWith("\"!4xx,5xx\" negates more than one");
    }
}
