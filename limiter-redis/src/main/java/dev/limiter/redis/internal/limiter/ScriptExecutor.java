package dev.limiter.redis.internal.limiter;

import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.Destination;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.script.StoreClock;
import dev.limiter.spi.Signals;
import java.util.List;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Executes calls of Redis within their deadline, and compares the clock of the server that
 * answers with the clock of this process. The executor sends a call again only if Redis proved
 * that it has not run, and while there is time. Redis proves it when it does not know the
 * script, names another server, moves the slot, or is a replica. A call that may have run is
 * never sent again.
 *
 * <p>Not final: tests in virtual time override it.
 */
public class ScriptExecutor {
    private static final int MOST_TRIES = 6;

    private final Nodes nodes;
    private final LongSupplier nanos;
    private final Signals signals;

    /** @param nanos a clock that does not step, in ns */
    public ScriptExecutor(Nodes nodes, LongSupplier nanos, Signals signals) {
        this.nodes = nodes;
        this.nanos = nanos;
        this.signals = signals;
    }

    /**
     * Decides. Decision calls of several callers at the same time share an EVALSHA.
     *
     * @param began when the call began, whose deadline it is; by the clock of the nodes
     * @throws redis.clients.jedis.exceptions.JedisException if there is no decision
     */
    public Reply decide(DecisionCall call, long began) {
        long sent = nanos.getAsLong();
        Reply reply = (Reply) execute(call, call.key(), began);
        nodes.clock(call.key()).saw(reply.atMicros(), sent, nanos.getAsLong());
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
        byte[] key = keys.get(0);
        long sent = nanos.getAsLong();
        Object reply = execute(RedisCall.ScriptCall.of(script, keys, arguments, replyBytes), key, nodes.now());
        if (reply instanceof byte[]) {
            nodes.clock(key).saw(Reply.of(reply).atMicros(), sent, nanos.getAsLong());
        }
        return reply;
    }

    /**
     * Deletes a key.
     *
     * @throws redis.clients.jedis.exceptions.JedisException if there is no reply
     */
    public void delete(byte[] key) {
        CommandArguments command = new CommandArguments(Protocol.Command.DEL).add(key);
        execute(RedisCall.Command.of(command), key, nodes.now());
    }

    /**
     * Executes a call.
     *
     * @param key decides the server that the call goes to
     * @param began when the call began, whose deadline it is; by the clock of the nodes
     * @throws redis.clients.jedis.exceptions.JedisException if there is no reply
     */
    public final Object execute(RedisCall call, byte[] key, long began) {
        try {
            return follow(call, nodes.destination(key), began);
        } catch (JedisDataException refusal) {
            if (!(refusal instanceof JedisNoScriptException) && !StoreClock.isAboutPeriods(refusal)) {
                signals.storeFailed(RedisErrors.of(refusal), false);
            }
            throw refusal;
        } catch (CallFailedException failed) {
            if (failed.error() != null) {
                signals.storeFailed(failed.error(), failed.mayHaveRun());
            }
            throw failed;
        }
    }

    private Object follow(RedisCall call, Destination first, long began) {
        Destination destination = first;
        int tries = 1;
        while (true) {
            try {
                return nodes.send(call, destination, began);
            } catch (JedisDataException refusal) {
                boolean missing = refusal instanceof JedisNoScriptException;
                if (missing) {
                    signals.happened(Signals.Incident.SCRIPT_MISSING);
                }
                if (tries == MOST_TRIES || !nodes.leavesTime(began)) {
                    throw refusal;
                }
                if (missing && !destination.withText()) {
                    destination = destination.sendingText();
                } else {
                    destination = nodes.next(refusal, destination);
                    tries++;
                }
            }
        }
    }

    /** Closes the connections, and ends the threads of the store. */
    public void close() {
        nodes.close();
    }
}
