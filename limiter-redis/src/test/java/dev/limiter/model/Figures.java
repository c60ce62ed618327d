package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import java.util.function.LongPredicate;

/**
 * The figures of a result, each by its definition: the state's result at a later instant if no
 * other request comes.
 */
record Figures(State state, Check check, long nowMicros) {

    /** The limiter does not know when others end their leases. */
    private static final long HINT = 1_000_000;

    long remaining() {
        return Search.greatest(capacity(), units -> state.holds(units, check, nowMicros));
    }

    /** For a check that does not fit. */
    long retryAfterMicros() {
        return wait(micros -> state.fits(check, nowMicros + micros));
    }

    long nextAfterMicros(long remaining) {
        return remaining == capacity() ? 0 : wait(micros -> state.holds(remaining + 1, check, nowMicros + micros));
    }

    long resetAfterMicros(long remaining) {
        if (check.policy().algorithm() == Algorithm.LEAKY_BUCKET) {
            return state.waitMicros(check, nowMicros);
        }
        return remaining == capacity() ? 0 : wait(micros -> state.holds(capacity(), check, nowMicros + micros));
    }

    private long wait(LongPredicate condition) {
        return check.policy().algorithm() == Algorithm.CONCURRENCY ? HINT : Search.least(condition);
    }

    private long capacity() {
        return check.policy().capacity();
    }
}
