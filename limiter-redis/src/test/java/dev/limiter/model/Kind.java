package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The algorithm under test in a history, and its refill.
 *
 * @param refill {@code SMOOTH} for all algorithms but {@code TOKEN_BUCKET}
 */
public record Kind(Algorithm algorithm, Refill refill) {

    /** Every algorithm, and {@code TOKEN_BUCKET} once for each refill. */
    public static List<Kind> all() {
        return Arrays.stream(Algorithm.values()).flatMap(Kind::of).toList();
    }

    private static Stream<Kind> of(Algorithm algorithm) {
        Stream<Refill> refills =
                algorithm == Algorithm.TOKEN_BUCKET ? Arrays.stream(Refill.values()) : Stream.of(Refill.SMOOTH);
        return refills.map(refill -> new Kind(algorithm, refill));
    }

    /** Such as {@code GCRA-SMOOTH}. */
    @Override
    public String toString() {
        return algorithm + "-" + refill;
    }
}
