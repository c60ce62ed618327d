package dev.limiter.local;

import dev.limiter.Policy;
import dev.limiter.spi.Reading;

/** The state of one partition under one policy: read first, charged only when the whole group fits. Not thread-safe. */
interface Cell {

    /** An untouched cell for a policy. */
    static Cell of(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW -> new FixedWindowCell();
            case SLIDING_LOG -> new SlidingLogCell();
            case TOKEN_BUCKET, GCRA, UNIFORM -> new BucketCell();
        };
    }

    /**
     * Looks without charging. It repairs what a clock that has stepped back left too far ahead, and changes nothing else.
     *
     * @param phaseMicros where the key's fixed windows begin
     */
    Reading read(Policy policy, long cost, long nowMicros, long phaseMicros);

    /** Charges what {@link #read} at the same instant found to fit. */
    void charge(Policy policy, long cost, long nowMicros);

    /** From when on this cell is as good as an untouched one, in µs. */
    long idleAtMicros();
}
