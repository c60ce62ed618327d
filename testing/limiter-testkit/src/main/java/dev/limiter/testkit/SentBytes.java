package dev.limiter.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes that one connection has passed on to the server, in order. */
final class SentBytes {

    private static final int FIRST_CAPACITY = 256;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int length;

    void add(byte[] more) {
        if (bytes.length - length < more.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more.length));
        }
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    void forget() {
        bytes = new byte[FIRST_CAPACITY];
        length = 0;
    }

    /** Occurrences that do not overlap: {@code aa} is in {@code aaaa} twice. */
    int count(byte[] wanted) {
        return countFrom(0, wanted);
    }

    /** Tells every text that matches, from the first. */
    void find(Pattern wanted, Consumer<String> found) {
        Matcher matcher = wanted.matcher(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            found.accept(matcher.group());
        }
    }

    /** Whether the wanted bytes would be found if these were added, and end within them. */
    boolean wouldComplete(byte[] wanted, byte[] more) {
        int before = length;
        add(more);
        boolean found = countFrom(Math.max(0, before - wanted.length + 1), wanted) > 0;
        length = before;
        return found;
    }

    private int countFrom(int start, byte[] wanted) {
        int found = 0;
        int i = start;
        while (i <= length - wanted.length) {
            boolean here = Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length);
            found += here ? 1 : 0;
            i += here ? wanted.length : 1;
        }
        return found;
    }
}
