package dev.limiter.spi.algorithm;

/** Leases in flight: {@code lua/algorithm/concurrency.lua}. */
public final class Concurrency extends AlgorithmRules {

    Concurrency(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return limit;
    }

    @Override
    public long maxCost() {
        return 1;
    }

    @Override
    public long mostInAnyWindow() {
        return limit;
    }
}
