package dev.limiter.jaxrs.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.Texts;
import java.text.Normalizer;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Spellings of one identity are one key, and folding twice changes nothing more. */
@Tag("proof")
class CaseFoldingTest {
    private static final String TRICKY =
            "aAiITHJW\u00b4\u0308\u030c\u0331\u030a\u0130\u0131\u0307\u0301\u1e9e\u00df\ufb01\u2126\u212b\u03a3\u03c2\u3000\u00a0\u2003 \tＡ";

    @ParameterizedTest
    @CsvSource({
        "' ＡＬＩＣＥ@Example.org', alice@example.org",
        "'\u2003Alice\u00a0', alice",
        "'\u1e9e', ss",
        "'I\u0307', i",
        "'\u0130', i",
        "'\u0131', i",
        "'\u0001Alice\u001f\u0085', alice",
        "'e\u0301', \u00e9",
        "'T\u0308', \u1e97", // of which only the small letter has a form of its own
        "'\ufb01', fi",
        "'\u2126', \u03c9",
        "'\u039d\u038a\u039a\u039f\u03a3', \u03bd\u03af\u03ba\u03bf\u03c3",
        "'\u039d\u038a\u039a\u039f\u03c2', \u03bd\u03af\u03ba\u03bf\u03c3",
        "'', ''",
    })
    void spellingsOfOneIdentityAreOne(String text, String folded) {
        assertThat(CaseFolding.fold(text)).isEqualTo(folded);
    }

    @Test
    void foldingTwiceIsFoldingOnce() {
        texts().check(text -> {
            String once = CaseFolding.fold(text);
            assertThat(CaseFolding.fold(once)).isEqualTo(once);
        });
    }

    @Test
    void caseFormAndBlanksAroundAreNoDifference() {
        texts().check(text -> {
            String once = CaseFolding.fold(text);
            assertThat(CaseFolding.fold("\t " + text + " \u0000")).isEqualTo(once);
            assertThat(CaseFolding.fold(Normalizer.normalize(text, Normalizer.Form.NFD)))
                    .isEqualTo(once);
            assertThat(CaseFolding.fold(text.toLowerCase(Locale.ROOT))).isEqualTo(once);
            assertThat(CaseFolding.fold(
                            Normalizer.normalize(text, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT)))
                    .isEqualTo(once);
        });
    }

    /** Of each letter, those that {@code equalsIgnoreCase} takes for the same. */
    @Test
    void lettersThatComparisonsTakeForOneAreOne() {
        for (int letter = 0; letter <= Character.MAX_CODE_POINT; letter++) {
            int large = Character.toUpperCase(letter);
            if (large != letter || Character.toLowerCase(letter) != letter) {
                String folded = CaseFolding.fold(Character.toString(letter));
                assertThat(CaseFolding.fold(Character.toString(large)))
                        .as("U+%04X", letter)
                        .isEqualTo(folded);
                assertThat(CaseFolding.fold(Character.toString(Character.toLowerCase(large))))
                        .as("U+%04X", letter)
                        .isEqualTo(folded);
            }
        }
    }

    /** Parts of letters are more than the letters that count in a key. */
    @ParameterizedTest
    @ValueSource(strings = {"\ud55c", "\u00e9", "\u1f82", "\u1fb7"})
    void aLongNameIsOneHoweverItsLettersAreComposed(String letter) {
        String composed = letter.repeat(PartitionKey.MAX_VALUE_LENGTH);
        String parts = Normalizer.normalize(composed, Normalizer.Form.NFD);
        assertThat(CaseFolding.fold(parts)).isEqualTo(CaseFolding.fold(composed));
    }

    /** More of them than count in a key would leave nothing of the name. */
    @Test
    void noNumberOfBlanksHidesAName() {
        int blanks = 0;
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            String blank = Character.toString(c);
            if (CaseFolding.fold(blank).isEmpty()) {
                String many = blank.repeat(PartitionKey.MAX_VALUE_LENGTH);
                assertThat(CaseFolding.fold(many + "Alice" + many))
                        .as("U+%04X", c)
                        .isEqualTo("alice");
                blanks++;
            } else {
                assertThat(blank.trim()).as("U+%04X", c).isNotEmpty();
                assertThat(blank.strip()).as("U+%04X", c).isNotEmpty();
                assertThat(Character.isSpaceChar(c)).as("U+%04X", c).isFalse();
            }
        }
        assertThat(blanks).isGreaterThan(50);
    }

    @Test
    void aHugeValueCostsNoMoreThanItsBeginning() {
        texts().check(text -> {
            String beginning = "x" + text + "x".repeat(4 * PartitionKey.MAX_VALUE_LENGTH);
            assertThat(CaseFolding.fold(beginning + "y".repeat(10_000))).isEqualTo(CaseFolding.fold(beginning));
        });
    }

    private static Property<String> texts() {
        Generator<String> any = Texts.any(20);
        Generator<String> tricky = Texts.of(TRICKY, 12);
        return Property.<String>forAll(dice -> dice.oneOf(any, tricky).draw(dice))
                .tries(4_000);
    }
}
