package dev.limiter.spi;

import dev.limiter.Answer;
import dev.limiter.Demand;
import dev.limiter.Policy;

/**
 * A fixed window.
 *
 * @param fits whether {@code used + cost <= limit}
 * @param used units charged in the present window
 * @param leftMicros until the present window ends; at least 1
 */
public record WindowReading(boolean fits, long used, long leftMicros) implements Reading {

    @Override
    public Answer answer(Demand demand, boolean charged) {
        long after = charged ? used + demand.cost() : used;
        long reset = after == 0 ? 0 : leftMicros;
        long remaining = Math.max(0, demand.policy().limit() - after);
        return new Answer(demand.policy(), fits, remaining, fits ? 0 : leftMicros, reset, reset);
    }

    @Override
    public WindowReading after(Demand demand, long times) {
        return new WindowReading(true, used + times * demand.cost(), leftMicros);
    }

    @Override
    public long chargeable(Policy policy, long units) {
        return Math.min(units, Math.max(0, Reading.debtLimit(policy) - used));
    }

    /**
     * {@return when the window ends, in µs since 1970, if it was read at this instant}
     *
     * @param atMicros the instant of the decision, in µs since 1970
     */
    public long endsMicros(long atMicros) {
        return atMicros + leftMicros;
    }
}
