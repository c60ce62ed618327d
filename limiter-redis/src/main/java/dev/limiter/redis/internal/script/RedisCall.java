package dev.limiter.redis.internal.script;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;

/**
 * What a caller asks of Redis: a decision, which can be merged with others, or a script or
 * command by itself.
 */
public interface RedisCall {

    /**
     * The part of a round trip that it takes, in bytes: what it sends without the text of a
     * script, and a part of its expected reply.
     */
    int bytes();

    /**
     * Whether it uses the connections for large calls, so that decisions do not wait for it. No
     * decision is large.
     */
    default boolean isLarge() {
        return false;
    }

    /**
     * The command if the call is sent by itself; for a decision, of one group.
     *
     * @param spare may be used for it
     * @param withText whether to send the text of the script, since Redis does not know it
     */
    CommandArguments command(ScriptCommand spare, boolean withText);

    /**
     * The outcome for its caller.
     *
     * @throws ClassCastException if it is no reply to this
     */
    Object answer(Object reply);

    /** The bytes of keys or arguments. */
    static int length(List<byte[]> parts) {
        int bytes = 0;
        for (byte[] part : parts) {
            bytes += part.length;
        }
        return bytes;
    }

    /**
     * A script with its keys and arguments.
     *
     * @param bytes how much of a round trip it takes
     */
    record ScriptCall(Program script, List<byte[]> keys, List<byte[]> arguments, int bytes, boolean isLarge)
            implements RedisCall {

        /** @param replyBytes how long its reply is */
        public static ScriptCall of(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
            int sent = length(keys) + length(arguments);
            return new ScriptCall(script, keys, arguments, replyBytes.beside(sent), replyBytes.makesLarge(sent));
        }

        @Override
        public CommandArguments command(ScriptCommand spare, boolean withText) {
            return spare.of(script, withText, keys.size()).addAll(keys).addAll(arguments);
        }

        @Override
        public Object answer(Object reply) {
            return reply == null || reply instanceof Long || reply instanceof byte[] ? Reply.packed(reply) : reply;
        }
    }

    /**
     * A command as it is, with a short reply.
     *
     * @param bytes how much of a round trip it takes
     */
    record Command(CommandArguments arguments, int bytes, boolean isLarge) implements RedisCall {

        public static Command of(CommandArguments arguments) {
            int sent = 0;
            for (Rawable each : arguments) {
                sent += each.getRaw().length;
            }
            return new Command(arguments, sent, ReplyBytes.FEW.makesLarge(sent));
        }

        @Override
        public CommandArguments command(ScriptCommand spare, boolean withText) {
            return arguments;
        }

        @Override
        public Object answer(Object reply) {
            return reply;
        }
    }
}
