package dev.limiter.spi;

import java.math.BigInteger;

/** Products that may leave 64 bits before they are divided. */
final class Exact {
    private Exact() {}

    /** {@code floor(a · b / divisor)}, towards minus infinity, of a positive divisor. */
    static long floor(long a, long b, long divisor) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        if (high == low >> 63) {
            return Math.floorDiv(low, divisor);
        }
        BigInteger[] parts =
                BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).divideAndRemainder(BigInteger.valueOf(divisor));
        long quotient = parts[0].longValueExact();
        return parts[1].signum() < 0 ? quotient - 1 : quotient;
    }

    /** {@code a · b} of two that are not negative, at most 2<sup>60</sup>: 36,000 years of microseconds are for ever. */
    static long capped(long a, long b) {
        return a == 0 || b <= (1L << 60) / a ? a * b : 1L << 60;
    }
}
