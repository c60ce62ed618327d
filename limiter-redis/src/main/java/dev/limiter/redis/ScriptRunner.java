package dev.limiter.redis;

import java.util.List;
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

    ScriptRunner(UnifiedJedis jedis, Script script, Timeouts timeouts, LongSupplier nanoTime) {
        this.jedis = jedis;
        this.script = script;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
    }

    Reply run(List<byte[]> keys, List<byte[]> arguments) {
        long began = nanoTime.getAsLong();
        try {
            return new Reply(jedis.evalsha(script.sha1(), keys, arguments));
        } catch (JedisNoScriptException absent) {
            if (!timeouts.leaveTimeForAnotherCall(nanoTime.getAsLong() - began)) {
                throw absent;
            }
            return new Reply(jedis.eval(script.text(), keys, arguments));
        }
    }
}
