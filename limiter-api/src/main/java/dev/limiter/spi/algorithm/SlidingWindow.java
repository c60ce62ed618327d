package dev.limiter.spi.algorithm;

/** Two counters, of which the older one is weighted: {@code lua/algorithm/sliding_window.lua}. */
public final class SlidingWindow extends AlgorithmRules {

    SlidingWindow(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return limit;
    }

    @Override
    public long mostInAnyWindow() {
        return 2 * limit - 1;
    }
}
