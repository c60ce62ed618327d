package dev.limiter.redis.internal.limiter;

import dev.limiter.redis.internal.node.ClockWatch;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Runs scripts and compares the clock of the server that answers with the clock of this process. Not final: tests in virtual time
 * override it.
 */
public class ScriptExecutor {
    private final Nodes nodes;
    private final LongSupplier nanos;
    private final Function<byte[], ClockWatch> clocks;

    /**
     * @param nanos a clock that does not step, in ns
     * @param clocks the watch over the clock of the server that keeps a Redis key
     */
    public ScriptExecutor(Nodes nodes, LongSupplier nanos, Function<byte[], ClockWatch> clocks) {
        this.nodes = nodes;
        this.nanos = nanos;
        this.clocks = clocks;
    }

    /**
     * Decides. Decision calls of several callers at the same time share an EVALSHA.
     *
     * @param began when the call began, whose deadline it is; by the clock of this class
     * @throws redis.clients.jedis.exceptions.JedisException if there is no decision
     */
    public Reply decide(DecisionCall call, long began) {
        long asked = nanos.getAsLong();
        Reply reply = nodes.decide(call, began);
        clocks.apply(call.keys()[0]).saw(reply.atMicros(), asked, nanos.getAsLong());
        return reply;
    }

    /** Runs a script with a short reply. */
    public final Object run(Program script, List<byte[]> keys, List<byte[]> arguments) {
        return run(script, keys, arguments, ReplyBytes.FEW);
    }

    /**
     * Runs a script.
     *
     * @return its reply
     * @throws redis.clients.jedis.exceptions.JedisException if there is none
     */
    public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
        long began = nanos.getAsLong();
        Object reply = nodes.run(script, keys, arguments, replyBytes, began);
        if (reply instanceof byte[]) {
            clocks.apply(keys.get(0)).saw(Reply.of(reply).atMicros(), began, nanos.getAsLong());
        }
        return reply;
    }
}
