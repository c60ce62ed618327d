package dev.limiter.example;

import java.nio.charset.StandardCharsets;

/**
 * An order to feed an animal.
 *
 * @param animal its name, in one line
 * @param food in one line
 */
public record FeedingOrder(String animal, String food) {
    private static final int MAX_LENGTH = 100;

    /**
     * Whether the order can be accepted; the keeper finds out whether there is such an animal.
     */
    boolean isReadable() {
        return isLine(animal) && isLine(food);
    }

    private static boolean isLine(String text) {
        return text != null
                && !text.isBlank()
                && text.length() <= MAX_LENGTH
                && text.indexOf('\n') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text); // half a surrogate pair is no text
    }

    /** The text of the order in the queue. */
    String written() {
        return animal + '\n' + food;
    }

    static FeedingOrder read(String written) {
        String[] lines = written.split("\n", 2);
        return new FeedingOrder(lines[0], lines[1]);
    }
}
