package dev.limiter.testkit.property;

import java.util.function.ToLongFunction;

/**
 * Texts of kinds that often break programs. Lengths are in {@code char}. Half of all texts have at
 * most 4.
 */
public final class Texts {
    private static final String SEPARATORS = ":;,.=/\\|&?#%{}[]()<>\"'`* \t\r\n-_~+0123456789";
    private static final int SHORT = 4;

    private Texts() {}

    /**
     * All kinds of texts: the empty text, letters and digits of ASCII, separators, control
     * characters, any {@code char} with unpaired surrogates among them, characters beyond the first
     * plane, and one {@code char} repeated.
     *
     * @param most the greatest length, at least 2; a tenth of the texts have this length or 1 less
     */
    public static Generator<String> any(int most) {
        return dice -> {
            int length = length(most, dice);
            char repeated = (char) dice.number(0, Character.MAX_VALUE);
            return switch ((int) dice.between(0, 7)) {
                case 0 -> chars(length, d -> d.between('!', '~'), dice);
                case 1 -> chars(length, d -> oneOf("ab:12", d), dice);
                case 2 -> chars(length, d -> oneOf(SEPARATORS, d), dice);
                case 3 -> chars(length, d -> d.number(0, 0xff), dice);
                case 4 -> chars(length, d -> d.number(0, Character.MAX_VALUE), dice);
                case 5 -> chars(length, d -> d.number(Character.MIN_SURROGATE - 1, Character.MAX_SURROGATE + 1), dice);
                case 6 -> wellFormed(length, dice);
                default -> String.valueOf(repeated).repeat(length);
            };
        };
    }

    /**
     * Texts of the {@code char}s from {@code first} to {@code last}, of which the ends are drawn
     * often.
     */
    public static Generator<String> between(char first, char last, int most) {
        return dice -> chars(length(most, dice), d -> d.number(first, last), dice);
    }

    /** Texts of these {@code char}s. */
    public static Generator<String> of(String alphabet, int most) {
        return dice -> chars(length(most, dice), d -> oneOf(alphabet, d), dice);
    }

    /** Each surrogate has its other half, so that UTF-8 and UTF-16 keep the text as it is. */
    private static String wellFormed(int most, Dice dice) {
        StringBuilder text = new StringBuilder();
        while (text.length() < most - 1) {
            int point = (int) dice.number(0, Character.MAX_CODE_POINT);
            boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            text.appendCodePoint(half ? 0x1F427 : point);
        }
        return text.toString();
    }

    private static char oneOf(String alphabet, Dice dice) {
        return alphabet.charAt((int) dice.between(0, alphabet.length() - 1));
    }

    private static int length(int most, Dice dice) {
        int few = Math.min(SHORT, most);
        return (int)
                (dice.chance(50)
                        ? dice.between(0, few)
                        : dice.chance(20) ? dice.between(most - 1, most) : dice.between(0, most));
    }

    private static String chars(int length, ToLongFunction<Dice> units, Dice dice) {
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append((char) units.applyAsLong(dice));
        }
        return text.toString();
    }
}
