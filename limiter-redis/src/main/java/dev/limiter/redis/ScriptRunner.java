package dev.limiter.redis;

import dev.limiter.spi.Signals;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Runs a script: one EVALSHA, and one EVAL only when Redis proves by NOSCRIPT that nothing ran. Not final, so that tests can send
 * their virtual time along.
 */
class ScriptRunner {
    private final UnifiedJedis jedis;
    private final Script script;
    private final Timeouts timeouts;
    private final LongSupplier nanoTime;
    private final Signals signals;
    private final Function<byte[], ClockWatch> clocks;

    /**
     * @param nanoTime a clock that does not step, in ns
     * @param clocks the watch over the clock of whoever keeps a Redis key
     */
    ScriptRunner(
            UnifiedJedis jedis,
            Script script,
            Timeouts timeouts,
            LongSupplier nanoTime,
            Signals signals,
            Function<byte[], ClockWatch> clocks) {
        this.jedis = jedis;
        this.script = script;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
        this.signals = signals;
        this.clocks = clocks;
    }

    Reply run(List<byte[]> keys, List<byte[]> arguments) {
        long began = nanoTime.getAsLong();
        Reply reply = new Reply(reply(keys, arguments, began));
        clocks.apply(keys.get(0)).saw(reply.atMicros(), began, nanoTime.getAsLong());
        return reply;
    }

    private Object reply(List<byte[]> keys, List<byte[]> arguments, long began) {
        try {
            return jedis.evalsha(script.sha1(), keys, arguments);
        } catch (JedisNoScriptException absent) {
            signals.scriptMissing();
            if (!timeouts.leaveTimeForAnotherCall(nanoTime.getAsLong() - began)) {
                throw absent;
            }
            return jedis.eval(script.text(), keys, arguments);
        }
    }
}
