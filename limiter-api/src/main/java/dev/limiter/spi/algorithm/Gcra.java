package dev.limiter.spi.algorithm;

import java.math.BigInteger;

/**
 * The generic cell rate algorithm, and all that is decided by it: {@code lua/algorithm/gcra.lua}. The content of a
 * {@code LEAKY_BUCKET} is the wait for the next free slot; it holds {@code maxWait} and one unit.
 */
public final class Gcra extends AlgorithmRules {
    private final long capacity;
    private final boolean borrow;
    private final boolean queue;

    private Gcra(Numbers numbers, long capacity, boolean queue) {
        super(numbers);
        this.capacity = capacity;
        this.borrow = numbers.borrow();
        this.queue = queue;
    }

    /** Up to {@code burst} units back to back. */
    static Gcra bucket(Numbers numbers) {
        return new Gcra(numbers, numbers.burst(), false);
    }

    /** Two units are at least {@code T} apart. */
    static Gcra spacing(Numbers numbers) {
        return new Gcra(numbers, 1, false);
    }

    /** Each unit gets a slot, and waits for it. */
    static Gcra queue(Numbers numbers) {
        long held = ExactMath.floor(numbers.maxWaitMicros(), numbers.limit(), numbers.windowMicros());
        return new Gcra(numbers, 1 + held, true);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public long maxCost() {
        return borrow ? Math.max(limit, capacity) : capacity;
    }

    /** What a full bucket gives in the time that brings {@code limit} units, and what the last request may have borrowed. */
    @Override
    public long mostInAnyWindow() {
        return queue ? limit : capacity + limit - 1 + (borrow ? maxCost() - 1 : 0);
    }

    @Override
    public BigInteger quotaMicros() {
        BigInteger[] micros = super.quotaMicros()
                .multiply(BigInteger.valueOf(capacity))
                .divideAndRemainder(BigInteger.valueOf(limit));
        return micros[1].signum() == 0 ? micros[0] : micros[0].add(BigInteger.ONE);
    }
}
