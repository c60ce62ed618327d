package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import java.util.function.LongPredicate;

/**
 * The figures of a result, each by its definition: the state's result at a later instant if no
 * other request comes.
 */
record Figures(State state, Check demand, long nowMicros) {

    /** The limiter does not know when others end their leases. */
    private static final long HINT = 1_000_000;

    long remaining() {
        return Search.greatest(capacity(), units -> state.holds(units, demand, nowMicros));
    }

    /** For a demand that does not fit. */
    long retryAfterMicros() {
        return wait(micros -> state.fits(demand, nowMicros + micros));
    }

    long nextAfterMicros(long remaining) {
        return remaining == capacity() ? 0 : wait(micros -> state.holds(remaining + 1, demand, nowMicros + micros));
    }

    long resetAfterMicros(long remaining) {
        if (demand.policy().algorithm() == Algorithm.LEAKY_BUCKET) {
            return state.waitMicros(demand, nowMicros);
        }
        return remaining == capacity() ? 0 : wait(micros -> state.holds(capacity(), demand, nowMicros + micros));
    }

    private long wait(LongPredicate condition) {
        return demand.policy().algorithm() == Algorithm.CONCURRENCY ? HINT : Search.least(condition);
    }

    private long capacity() {
        return demand.policy().capacity();
    }
}
