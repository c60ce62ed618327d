package dev.limiter.redis.internal.limiter;

import dev.limiter.redis.internal.node.ClockWatch;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Signals;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Sends decision calls to Redis by EVALSHA. Decision calls of several callers at the same time share an EVALSHA. The executor
 * sends EVAL only if Redis does not know the script.
 */
public final class ScriptExecutor {
    private final Nodes calls;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Function<byte[], ClockWatch> clocks;

    /**
     * @param nanos a clock that does not step, in ns
     * @param clocks the watch over the clock of the server that keeps a Redis key
     */
    public ScriptExecutor(
            Nodes calls, Timeouts timeouts, LongSupplier nanos, Signals signals, Function<byte[], ClockWatch> clocks) {
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
    public Reply of(DecisionCall question, long began) {
        long asked = nanos.getAsLong();
        Reply reply = reply(question, began);
        clocks.apply(question.keys()[0]).saw(reply.atMicros(), asked, nanos.getAsLong());
        return reply;
    }

    private Reply reply(DecisionCall question, long began) {
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
