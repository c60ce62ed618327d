package dev.limiter.redis;

import dev.limiter.spi.Signals;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Has questions decided: by one EVALSHA, shared with whoever asks at the same time, and by EVAL only if Redis does not know the script. */
final class Decisions {
    private final Calls calls;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Function<byte[], ClockWatch> clocks;

    /**
     * @param nanos a clock that does not step, in ns
     * @param clocks the watch over the clock of whoever keeps a Redis key
     */
    Decisions(
            Calls calls, Timeouts timeouts, LongSupplier nanos, Signals signals, Function<byte[], ClockWatch> clocks) {
        this.calls = calls;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
        this.clocks = clocks;
    }

    /**
     * @param began when the call began, whose deadline it is; by the clock of this class
     * @throws redis.clients.jedis.exceptions.JedisException if there is no decision
     */
    Reply of(Question question, long began) {
        long asked = nanos.getAsLong();
        Reply reply = reply(question, began);
        clocks.apply(question.keys()[0]).saw(reply.atMicros(), asked, nanos.getAsLong());
        return reply;
    }

    private Reply reply(Question question, long began) {
        try {
            return calls.decide(question, false, began);
        } catch (JedisNoScriptException absent) {
            signals.scriptMissing();
            if (!timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began)) {
                throw absent;
            }
            return calls.decide(question, true, began);
        }
    }
}
