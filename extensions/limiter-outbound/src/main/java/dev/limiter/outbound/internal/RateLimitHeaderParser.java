package dev.limiter.outbound.internal;

/**
 * Reads the header {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-11 as a partner
 * sends it: a list of structured fields (RFC 9651), {@code "buyer";r=0;t=2, "api";r=49}. By that
 * RFC, a header with any part that cannot be read counts as absent.
 */
public final class RateLimitHeaderParser {
    private static final int MOST_DIGITS = 15;
    private static final String OF_TOKENS = "!#$%&'*+-.^_`|~:/";
    private static final String OF_KEYS = "_-.*";

    private final String text;
    private int at;

    /** {@code r} of the item that is being read; -1 if it has none. */
    private long remaining;

    private long seconds;

    private RateLimitHeaderParser(String text) {
        this.text = text;
    }

    /** The longest {@code t} of those items that have {@code r=0}; 0 if there is none. */
    public static long exhaustedSeconds(String text) {
        try {
            return new RateLimitHeaderParser(text.strip()).longest();
        } catch (IllegalArgumentException unreadable) {
            return 0;
        }
    }

    private long longest() {
        long longest = 0;
        do {
            blanks();
            item();
            longest = remaining == 0 ? Math.max(longest, seconds) : longest;
            blanks();
        } while (next(','));
        require(at == text.length());
        return longest;
    }

    private void item() {
        remaining = -1;
        seconds = -1;
        value();
        while (next(';')) {
            blanks();
            int from = at;
            require(isLower(peek()) || peek() == '*');
            skip(OF_KEYS);
            String key = text.substring(from, at);
            require(key.chars().noneMatch(c -> c >= 'A' && c <= 'Z'));
            long number = next('=') ? value() : -1; // a parameter without a value is true, and no number
            if (key.equals("r")) {
                remaining = number;
            } else if (key.equals("t")) {
                seconds = number;
            }
        }
    }

    /** Reads any value, and returns it if it is an integer that is not negative; else -1. */
    private long value() {
        char first = peek();
        if (first == '"') {
            quoted();
            return -1;
        }
        if (first == '-' || isDigit(first)) {
            return number();
        }
        if (first == '?') {
            at++;
            require(next('0') || next('1'));
            return -1;
        }
        if (first == ':') {
            int end = text.indexOf(':', at + 1);
            require(end > 0);
            at = end + 1;
            return -1;
        }
        require(isLetter(first) || first == '*');
        skip(OF_TOKENS);
        return -1;
    }

    private long number() {
        boolean negative = next('-');
        int from = at;
        digits();
        if (next('.')) {
            digits();
            return -1;
        }
        require(at - from <= MOST_DIGITS);
        return negative ? -1 : Long.parseLong(text.substring(from, at));
    }

    private void digits() {
        int from = at;
        while (isDigit(peek())) {
            at++;
        }
        require(at > from);
    }

    private void quoted() {
        for (at++; peek() != '"'; at++) {
            require(peek() >= ' ' && peek() <= '~');
            if (peek() == '\\') {
                at++;
                require(peek() == '"' || peek() == '\\');
            }
        }
        at++;
    }

    private void skip(String others) {
        while (isLetter(peek()) || isDigit(peek()) || peek() != 0 && others.indexOf(peek()) >= 0) {
            at++;
        }
    }

    private void blanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private boolean next(char expected) {
        boolean there = peek() == expected;
        at += there ? 1 : 0;
        return there;
    }

    /** 0 at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private static boolean isLetter(char c) {
        return isLower(c) || c >= 'A' && c <= 'Z';
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static void require(boolean readable) {
        if (!readable) {
            throw new IllegalArgumentException("not a list of structured fields");
        }
    }
}
