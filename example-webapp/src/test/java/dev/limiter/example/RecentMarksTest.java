package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks in memory: the latest are kept, and pages of them follow one another without a gap. */
class RecentMarksTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final RecentMarks marks = new RecentMarks();

    @Test
    void theLatestAreKept() {
        add(0, RecentMarks.MOST + 10);
        assertThat(all()).isEqualTo(ids(10, RecentMarks.MOST + 10));
    }

    @Test
    void whatComesLaterIsOnTheNextPage() {
        add(0, 3);
        MarkId seen = MarkId.parse(page(Optional.empty()).last());
        assertThat(page(Optional.of(seen)).marks()).isEmpty();
        assertThat(page(Optional.of(seen)).last()).isEqualTo(seen.toString());
        add(3, 5);
        assertThat(page(Optional.of(seen)).marks()).extracting(Mark::id).isEqualTo(ids(3, 5));
    }

    @Test
    void marksOfOneMillisecondHavePlacesOfTheirOwn() {
        MarkId first = new MarkId(0, 0).next(5);
        assertThat(first).hasToString("5-0");
        assertThat(first.next(5)).hasToString("5-1");
        assertThat(first.next(4)).as("when the clock steps back").hasToString("5-1");
        assertThat(first.next(4)).isGreaterThan(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "-1-0", "5", "5-", "99999999999999999999-0", "5-0; FLUSHALL"})
    void whatIsNoPlaceIsRefused(String text) {
        assertThatThrownBy(() -> MarkId.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<String> all() {
        List<String> all = new ArrayList<>();
        Optional<MarkId> since = Optional.empty();
        MarkPage page;
        do {
            page = page(since);
            page.marks().forEach(mark -> all.add(mark.id()));
            since = Optional.of(MarkId.parse(page.last()));
        } while (page.more());
        return all;
    }

    private MarkPage page(Optional<MarkId> since) {
        return marks.after(since, DAY, MarkPage.Source.ALONE, 0);
    }

    private void add(int from, int to) {
        ids(from, to)
                .forEach(id ->
                        marks.add(new Mark(id, "strategies/gcra", "", Mark.Outcome.ADMITTED, 1, 0, List.of(), false)));
    }

    private static List<String> ids(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }
}
