package dev.limiter.testkit.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The edges of a range are drawn often, and nothing outside of it. */
class DiceTest {
    private static final int DRAWS = 10_000;

    private final Dice dice = new Dice(1);

    @Test
    void aRangeIsDrawnWithBothEnds() {
        assertThat(drawn(() -> dice.between(-1, 2))).containsExactlyInAnyOrder(-1L, 0L, 1L, 2L);
        assertThat(drawn(() -> dice.number(-1, 2))).containsExactlyInAnyOrder(-1L, 0L, 1L, 2L);
        assertThat(drawn(() -> dice.between(7, 7))).containsExactly(7L);
        assertThat(drawn(() -> dice.number(7, 7))).containsExactly(7L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> dice.between(2, 1))
                .withMessage("most must be at least 2, was 1");
    }

    @Test
    void edgesOfALargeRangeAreDrawnOften() {
        long most = 31_622_400_000_000L;
        assertThat(drawn(() -> dice.number(1, most)))
                .allSatisfy(number -> assertThat(number).isBetween(1L, most))
                .contains(1L, 2L, 3L, 4L, 1L << 31, (1L << 31) - 1, 1L << 44, most - 1, most)
                .hasSizeGreaterThan(DRAWS / 3);
        for (long edge : new long[] {1, 2, most - 1, most}) {
            long count = 0;
            for (int i = 0; i < DRAWS; i++) {
                count += dice.number(1, most) == edge ? 1 : 0;
            }
            assertThat(count).as("draws of %d", edge).isGreaterThan(DRAWS / 32);
        }
    }

    @Test
    void theLargestRangesDoNotOverflow() {
        assertThat(drawn(() -> dice.number(Long.MIN_VALUE, Long.MAX_VALUE)))
                .contains(Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE, 0L, 1L);
        assertThat(drawn(() -> dice.number(Long.MAX_VALUE - 1, Long.MAX_VALUE)))
                .containsExactlyInAnyOrder(Long.MAX_VALUE - 1, Long.MAX_VALUE);
        assertThat(drawn(() -> dice.between(0, Long.MAX_VALUE)))
                .allSatisfy(number -> assertThat(number).isNotNegative());
        assertThat(drawn(() -> dice.between(Long.MIN_VALUE, Long.MAX_VALUE))).hasSizeGreaterThan(DRAWS - 10);
    }

    @Test
    void chancesAreInPercent() {
        int[] hits = new int[3];
        for (int i = 0; i < DRAWS; i++) {
            hits[0] += dice.chance(0) ? 1 : 0;
            hits[1] += dice.chance(30) ? 1 : 0;
            hits[2] += dice.chance(100) ? 1 : 0;
        }
        assertThat(hits[0]).isZero();
        assertThat(hits[1]).isBetween(DRAWS * 28 / 100, DRAWS * 32 / 100);
        assertThat(hits[2]).isEqualTo(DRAWS);
    }

    @Test
    void textsOfAllKindsAreDrawn() {
        Generator<String> texts = Texts.any(300);
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.add(texts.draw(dice));
        }
        assertThat(drawn).allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(300));
        List<Predicate<String>> kinds = List.of(
                String::isEmpty,
                text -> text.length() == 300,
                text -> text.indexOf('\0') >= 0,
                text -> text.chars().anyMatch(Character::isISOControl),
                text -> text.indexOf(':') >= 0,
                text -> text.indexOf('{') >= 0,
                text -> text.indexOf('\uffff') >= 0,
                text -> text.matches("[!-~]+"),
                text -> text.codePoints().anyMatch(point -> point > 0xffff),
                text -> text.codePoints()
                        .anyMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE),
                text -> text.length() > 100 && text.chars().distinct().count() == 1);
        for (Predicate<String> kind : kinds) {
            assertThat(drawn.stream().filter(kind).count())
                    .as("texts of kind %d", kinds.indexOf(kind))
                    .isGreaterThan(DRAWS / 100);
        }
    }

    @Test
    void textsOfARangeStayInIt() {
        Generator<String> texts = Texts.between('b', 'd', 5);
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.add(texts.draw(dice));
        }
        assertThat(drawn).allSatisfy(text -> assertThat(text).matches("[bcd]{0,5}"));
        assertThat(drawn).contains("", "b", "d", "bcd").anyMatch(text -> text.length() == 5);
    }

    private static Set<Long> drawn(LongSupplier draws) {
        Set<Long> drawn = new HashSet<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.add(draws.getAsLong());
        }
        return drawn;
    }
}
