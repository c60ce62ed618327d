package dev.limiter.spi.algorithm;

/** One counter per window: {@code lua/algorithm/fixed_window.lua}. */
public final class FixedWindow extends AlgorithmRules {

    FixedWindow(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return limit;
    }

    @Override
    public long mostInAnyWindow() {
        return 2 * limit;
    }
}
