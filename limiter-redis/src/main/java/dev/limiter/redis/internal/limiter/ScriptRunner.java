package dev.limiter.redis.internal.limiter;

import dev.limiter.redis.internal.node.ClockWatch;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Signals;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Runs a script: one EVALSHA, and one EVAL only when Redis proves by NOSCRIPT that nothing ran. Not final, so that tests can send
 * their virtual time along.
 */
public class ScriptRunner {
    private final Caller caller;
    private final Timeouts timeouts;
    private final LongSupplier nanoTime;
    private final Signals signals;
    private final Function<byte[], ClockWatch> clocks;

    /** Calls Redis. */
    @FunctionalInterface
    public interface Caller {

        /**
         * What a script says.
         *
         * @param withText whether the script has to be sent
         * @param began when the call began, whose deadline it is
         */
        Object call(
                Program script,
                boolean withText,
                List<byte[]> keys,
                List<byte[]> arguments,
                ReplyBytes replyBytes,
                long began);
    }

    /**
     * @param nanoTime a clock that does not step, in ns
     * @param clocks the watch over the clock of the server that keeps a Redis key
     */
    public ScriptRunner(
            Caller caller,
            Timeouts timeouts,
            LongSupplier nanoTime,
            Signals signals,
            Function<byte[], ClockWatch> clocks) {
        this.caller = caller;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
        this.signals = signals;
        this.clocks = clocks;
    }

    /** What a script says that says little. */
    public final Object run(Program script, List<byte[]> keys, List<byte[]> arguments) {
        return run(script, keys, arguments, ReplyBytes.FEW);
    }

    /** What the script says. */
    public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
        long began = nanoTime.getAsLong();
        Object reply = reply(script, keys, arguments, replyBytes, began);
        if (reply instanceof byte[]) {
            clocks.apply(keys.get(0)).saw(Reply.of(reply).atMicros(), began, nanoTime.getAsLong());
        }
        return reply;
    }

    private Object reply(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes, long began) {
        try {
            return caller.call(script, false, keys, arguments, replyBytes, began);
        } catch (JedisNoScriptException absent) {
            signals.scriptMissing();
            if (!timeouts.leaveTimeForAnotherCall(nanoTime.getAsLong() - began)) {
                throw absent;
            }
            return caller.call(script, true, keys, arguments, replyBytes, began);
        }
    }
}
