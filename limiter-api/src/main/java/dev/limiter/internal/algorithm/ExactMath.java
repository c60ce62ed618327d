package dev.limiter.internal.algorithm;

import java.math.BigInteger;

/** Products that may leave 64 bits before they are divided. */
final class ExactMath {
    private ExactMath() {}

    /**
     * {@code floor(a · b / divisor)}, towards minus infinity, of a positive divisor; no more
     * than a {@code long} can hold.
     */
    static long floor(long a, long b, long divisor) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == low >> 63) {
            return Math.floorDiv(low, divisor);
        }
        BigInteger[] parts =
                BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divideAndRemainder(BigInteger.valueOf(divisor));
        BigInteger quotient = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
        return quotient.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }
}
