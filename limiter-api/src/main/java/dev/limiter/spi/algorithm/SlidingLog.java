package dev.limiter.spi.algorithm;

import dev.limiter.Policy;

/** The instants of the admitted units: {@code lua/algorithm/sliding_log.lua}. */
public final class SlidingLog extends AlgorithmRules {

    SlidingLog(Numbers numbers) {
        super(numbers);
    }

    @Override
    public long capacity() {
        return limit;
    }

    @Override
    public long maxCost() {
        return Math.min(limit, Policy.MAX_LOG_COST);
    }

    @Override
    public long mostInAnyWindow() {
        return limit;
    }
}
