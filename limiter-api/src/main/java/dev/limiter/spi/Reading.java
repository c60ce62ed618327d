package dev.limiter.spi;

import dev.limiter.Answer;
import dev.limiter.Policy;
import dev.limiter.spi.Rate.Span;

/**
 * What a store saw of one partition when it decided, before anything was charged. From it follows, in exact arithmetic, what
 * the client is told; the store's script reports, it does not explain.
 */
public sealed interface Reading {

    /** Whether the policy would admit the request. */
    boolean fits();

    /**
     * The answer that follows.
     *
     * @param policy the policy that was asked
     * @param cost units it was asked for
     * @param charged whether the whole group was admitted, so that the cost was charged
     */
    Answer answer(Policy policy, long cost, boolean charged);

    /**
     * A fixed window.
     *
     * @param fits whether {@code used + cost <= limit}
     * @param used units charged in the present window
     * @param leftMicros until the present window ends; at least 1
     */
    record OfWindow(boolean fits, long used, long leftMicros) implements Reading {
        @Override
        public Answer answer(Policy policy, long cost, boolean charged) {
            long after = charged ? used + cost : used;
            long untilReset = after == 0 ? 0 : leftMicros;
            return new Answer(
                    policy, fits, Math.max(0, policy.limit() - after), fits ? 0 : leftMicros, untilReset, untilReset);
        }
    }

    /**
     * A sliding log.
     *
     * @param fits whether {@code used + cost <= limit}
     * @param used units inside the window
     * @param waitMicros until the request fits if nobody else comes; 0 if it fits
     * @param nextMicros until one more unit than now is free: the oldest unit that matters leaves the window; 0 if none is in it
     * @param resetMicros until the youngest unit leaves the window; 0 if none is in it
     */
    record OfLog(boolean fits, long used, long waitMicros, long nextMicros, long resetMicros) implements Reading {
        @Override
        public Answer answer(Policy policy, long cost, boolean charged) {
            if (!charged) {
                return new Answer(
                        policy, fits, Math.max(0, policy.limit() - used), waitMicros, nextMicros, resetMicros);
            }
            long window = policy.windowMicros();
            long reset = Math.max(window, resetMicros);
            return new Answer(policy, true, policy.limit() - used - cost, 0, used == 0 ? reset : nextMicros, reset);
        }
    }

    /**
     * A bucket: GCRA and all that is decided by it.
     *
     * @param fits whether {@code backlog + cost · T <= capacity · T}
     * @param backlog how far the theoretical arrival time lies ahead: what is in use, as time; not below zero
     */
    record OfBucket(boolean fits, Span backlog) implements Reading {
        @Override
        public Answer answer(Policy policy, long cost, boolean charged) {
            Rate rate = new Rate(policy.limit(), policy.windowMicros());
            Span all = rate.timeOf(policy.capacity());
            Span price = rate.timeOf(cost);
            Span after = charged ? rate.plus(backlog, price) : backlog;
            Span room = rate.minus(all, after);
            long remaining = rate.unitsIn(room);
            long reset = after.ceil();
            long next = reset == 0
                    ? 0
                    : rate.minus(rate.timeOf(remaining + 1), room).ceil();
            long retry = fits ? 0 : rate.minus(rate.plus(backlog, price), all).ceil();
            return new Answer(policy, fits, remaining, retry, next, reset);
        }
    }
}
