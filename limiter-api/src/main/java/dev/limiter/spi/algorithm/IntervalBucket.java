package dev.limiter.spi.algorithm;

import java.math.BigInteger;

/** A bucket that gets {@code limit} tokens at the end of each window: {@code lua/algorithm/interval.lua}. */
public final class IntervalBucket extends AlgorithmRules {
    private final long burst;
    private final boolean borrow;

    IntervalBucket(Numbers numbers) {
        super(numbers);
        this.burst = numbers.burst();
        this.borrow = numbers.borrow();
    }

    @Override
    public long capacity() {
        return burst;
    }

    @Override
    public long maxCost() {
        return borrow ? Math.max(limit, burst) : burst;
    }

    /** What a full bucket gives, what one refill brings, and what the last request may have borrowed. */
    @Override
    public long mostInAnyWindow() {
        return borrow ? burst + limit + maxCost() - 1 : burst + Math.min(burst, limit);
    }

    @Override
    public BigInteger quotaMicros() {
        return super.quotaMicros().multiply(BigInteger.valueOf(-Math.floorDiv(-burst, limit)));
    }
}
