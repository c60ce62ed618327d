package dev.limiter.spi.algorithm;

/** Open, until a caller closes it for a while: {@code lua/algorithm/gate.lua}. */
public final class Gate extends AlgorithmRules {

    Gate(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return 1;
    }

    @Override
    public long mostInAnyWindow() {
        return Long.MAX_VALUE;
    }
}
