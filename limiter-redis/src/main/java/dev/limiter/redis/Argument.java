package dev.limiter.redis;

import dev.limiter.spi.Rate.Span;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** How a script's arguments are written. */
final class Argument {
    private Argument() {}

    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] of(long number) {
        return of(Long.toString(number));
    }

    /** Whole microseconds and the part: two arguments. */
    static void append(Span span, List<byte[]> arguments) {
        arguments.add(of(span.micros()));
        arguments.add(of(span.part()));
    }
}
