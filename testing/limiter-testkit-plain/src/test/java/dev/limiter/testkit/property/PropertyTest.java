package dev.limiter.testkit.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A planted defect is found, shrunk to the guilty steps, and found again by the seed in the
 * message.
 */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class PropertyTest {
    private static final String PERCENT = "test.percent";
    private static final List<String> SETTINGS = List.of(Seeds.PROPERTY, PERCENT);

    /** From 40 to 60 letters of the alphabet. */
    private static final Generator<Word> WORDS = dice -> new Word(dice.list(40, 60, d -> (char) d.between('A', 'Z')));

    private final List<String> settings = new ArrayList<>();

    /** Its steps are letters. */
    record Word(List<Character> letters) {

        @Override
        public String toString() {
            return Lines.numbered("word", letters);
        }
    }

    @BeforeEach
    void clear() {
        SETTINGS.forEach(name -> settings.add(System.clearProperty(name)));
        System.setProperty(PERCENT, "100");
    }

    @AfterEach
    void restore() {
        for (int i = 0; i < SETTINGS.size(); i++) {
            if (settings.get(i) == null) {
                System.clearProperty(SETTINGS.get(i));
            } else {
                System.setProperty(SETTINGS.get(i), settings.get(i));
            }
        }
    }

    @Test
    void aDefectOfTwoStepsShrinksToExactlyThese() {
        AssertionError error = failure(planted(), PropertyTest::noZComesAfterA);
        assertThat(error.getMessage()).containsPattern("the case, with 2 of its [4-6][0-9] steps \\([0-9]+ runs");
        assertThat(error)
                .hasMessageContaining(String.format("word%n1: A%n2: Z%n"))
                .hasMessageContaining("failure: Z after A in [A, Z]");
        assertThat(error.getCause()).isInstanceOf(AssertionError.class).hasMessage("Z after A in [A, Z]");
        assertThat(error.getSuppressed()[0]).isInstanceOf(AssertionError.class).hasMessageContaining("Z after A in [");
    }

    /** Three guilty steps far apart, of 5,000: each half alone is innocent. */
    @Test
    void guiltyStepsThatAreFarApartStay() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            all.add(i);
        }
        AssertionError error = failure(
                Property.<List<Integer>>forAll(dice -> List.copyOf(all)).leavingOut(list -> list, (old, list) -> list),
                list -> assertThat(list.containsAll(List.of(3, 2_500, 4_999))).isFalse());
        assertThat(error).hasMessageContaining("[3, 2500, 4999]").hasMessageContaining("with 3 of its 5,000 steps");
    }

    @Test
    void theSeedOfAMessageMakesTheSameCaseTheFirst() {
        String message = failure(planted(), PropertyTest::noZComesAfterA).getMessage();
        String seed = found("-Dproperty\\.seed=(-?[0-9]+)", message);
        List<Word> drawn = new ArrayList<>();
        System.setProperty(Seeds.PROPERTY, seed);
        String again = failure(planted(), word -> {
                    drawn.add(word);
                    noZComesAfterA(word);
                })
                .getMessage();
        assertThat(again).startsWith("case 1 of 1,000 failed; its seed is " + seed);
        assertThat(drawn.get(0)).isEqualTo(WORDS.draw(new Dice(Long.parseLong(seed))));
        assertThat(again.substring(again.indexOf("the case")))
                .isEqualTo(message.substring(message.indexOf("the case")));
    }

    @Test
    void theSeedOfTheFailingCaseIsNamedAndNotTheFirst() {
        System.setProperty(Seeds.PROPERTY, "7");
        List<Long> drawn = new ArrayList<>();
        Property<Long> property =
                Property.<Long>forAll(dice -> dice.between(1, 1_000)).tries(100);
        String message = failure(property, number -> {
                    drawn.add(number);
                    assertThat(drawn).hasSizeLessThan(42);
                })
                .getMessage();
        assertThat(message).startsWith("case 42 of 100 failed").contains("the case:");
        long seed = Long.parseLong(found("seed is (-?[0-9]+)", message));
        assertThat(new Dice(seed).between(1, 1_000)).isEqualTo(drawn.get(41));
        assertThat(seed).isNotEqualTo(7);
    }

    @Test
    void oneSeedGivesOneRowOfCasesAndEachCaseIsAnother() {
        System.setProperty(Seeds.PROPERTY, "-9223372036854775808");
        List<Word> first = drawn(50);
        assertThat(drawn(50)).isEqualTo(first);
        assertThat(new HashSet<>(first)).hasSize(50);
        System.clearProperty(Seeds.PROPERTY);
        assertThat(drawn(50)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void aSeedThatIsNoNumberIsRefused() {
        System.setProperty(Seeds.PROPERTY, "0x7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> drawn(1))
                .withMessage("property.seed must be a whole number from -2^63 to 2^63 - 1, was \"0x7\"");
    }

    @Test
    void triesAreCountedAndScaled() {
        assertThat(drawn(123)).hasSize(123);
        System.setProperty(PERCENT, "1000");
        assertThat(drawn(12)).hasSize(120);
        System.setProperty(PERCENT, "10");
        assertThat(drawn(123)).hasSize(13);
        assertThat(drawn(1)).hasSize(1);
        List<Word> drawn = new ArrayList<>();
        Property.forAll(WORDS).check(drawn::add);
        assertThat(drawn).hasSize(100);
        System.clearProperty(PERCENT);
        assertThat(drawn(123)).as("the size of mvn verify").hasSize(7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Property.forAll(WORDS).tries(0))
                .withMessage("a full size must be at least 1, was 0");
        System.setProperty(PERCENT, "0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> drawn(1))
                .withMessage("test.percent must be at least 1, was 0");
        System.setProperty(PERCENT, "0.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> drawn(1))
                .withMessage("test.percent must be a whole number, was \"0.5\"");
    }

    @Test
    void discardedCasesAreNoTries() {
        List<Long> used = new ArrayList<>();
        Property.<Long>forAll(dice -> dice.between(1, 2)).tries(100).check(number -> {
            Discard.unless(number == 1);
            used.add(number);
        });
        assertThat(used).hasSize(100).containsOnly(1L);
    }

    @Test
    void tooManyDiscardedCasesFail() {
        Property<Word> property = Property.forAll(WORDS).tries(10);
        assertThat(failure(property, word -> Discard.unless(false)))
                .hasMessage("51 cases were discarded and 0 of 10 tried:"
                        + " the generator must draw fewer that are discarded");
    }

    @Test
    void aFilterThatNothingPassesFails() {
        assertThat(failure(Property.forAll(WORDS.filter(word -> false)).tries(1), word -> {}))
                .hasMessageContaining("the generator failed")
                .hasMessageContaining("none of 1000 draws passed the filter")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatNoException()
                .isThrownBy(() -> Property.forAll(
                                WORDS.filter(word -> word.letters().size() == 40))
                        .check(word -> assertThat(word.letters()).hasSize(40)));
    }

    @Test
    void anyThrowableIsAFailureAndShrinksToTheSameOne() {
        AssertionError error = failure(planted(), word -> {
            if (word.letters().size() > 7) {
                throw new IOException("more than seven");
            }
            throw new IllegalStateException("never shown");
        });
        assertThat(error)
                .hasMessageContaining("with 8 of its")
                .hasMessageEndingWith("java.io.IOException: more than seven");
        assertThat(error.getCause()).isInstanceOf(IOException.class);
        assertThat(failure(planted(), word -> {
                    throw new StackOverflowError();
                }))
                .hasCauseInstanceOf(StackOverflowError.class)
                .hasMessageContaining("with 1 of its");
    }

    @Test
    void shrinkingStopsAtItsBounds() {
        for (Shrinking bounds :
                List.of(new Shrinking(3, Duration.ofMinutes(1)), new Shrinking(Integer.MAX_VALUE, Duration.ZERO))) {
            List<Word> checked = new ArrayList<>();
            AssertionError error = failure(planted().shrinking(bounds), word -> {
                checked.add(word);
                assertThat(word.letters()).hasSizeLessThan(2);
            });
            assertThat(checked).hasSizeLessThanOrEqualTo(1 + 3);
            assertThat(error).hasMessageContaining("steps, and more could be left out (");
        }
    }

    @Test
    void whatCannotBePrintedIsEscaped() {
        assertThat(failure(
                        Property.<String>forAll(dice -> "a\u0000\u001b\ud800b\ud83d\udc27")
                                .tries(1),
                        text -> {
                            throw new AssertionError();
                        }))
                .hasMessageContaining("a\\u0000\\u001b\\ud800b\ud83d\udc27");
    }

    private static Property<Word> planted() {
        return Property.forAll(WORDS).tries(1_000).leavingOut(Word::letters, (old, letters) -> new Word(letters));
    }

    private static void noZComesAfterA(Word word) {
        int a = word.letters().indexOf('A');
        if (a >= 0 && word.letters().lastIndexOf('Z') > a) {
            throw new AssertionError("Z after A in " + word.letters());
        }
    }

    private static List<Word> drawn(int tries) {
        List<Word> drawn = new ArrayList<>();
        Property.forAll(WORDS).tries(tries).check(drawn::add);
        return drawn;
    }

    private static <T> AssertionError failure(Property<T> property, Check<T> check) {
        AssertionError error = catchThrowableOfType(AssertionError.class, () -> property.check(check));
        assertThat(error).isNotNull();
        return error;
    }

    private static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }
}
