package dev.limiter.redis.internal.script;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;

/** What a caller wants of Redis: a decision, which can be made together with others, or a command as it is. */
public sealed interface RedisCall permits DecisionCall, RedisCall.WithText, RedisCall.Command {

    /** What is to be decided; null if it is a command. */
    DecisionCall question();

    /** Whether the text of the script has to be sent. */
    boolean bringsText();

    /** How much of a round trip it takes, in bytes: what it sends without the text of a script, and a part of what it is expected to hear. */
    int bytes();

    /** Whether it waits for other large calls only, so that decisions do not wait for it. No decision is large. */
    boolean isLarge();

    /**
     * What is sent if it goes by itself; of a question, of one group.
     *
     * @param spare may be used for it
     */
    CommandArguments command(ScriptCommand spare);

    /**
     * What its caller is told of the reply.
     *
     * @throws ClassCastException if it is no reply to this
     */
    Object answer(Object reply);

    /** A question of which Redis has been found not to know the script. */
    record WithText(DecisionCall question) implements RedisCall {
        @Override
        public boolean bringsText() {
            return true;
        }

        @Override
        public boolean isLarge() {
            return false;
        }

        @Override
        public int bytes() {
            return question.bytes();
        }

        @Override
        public CommandArguments command(ScriptCommand spare) {
            return question.command(spare, true);
        }

        @Override
        public Object answer(Object reply) {
            return question.answer(reply);
        }
    }

    /**
     * A command as it is.
     *
     * @param bytes how much of a round trip it takes
     */
    record Command(CommandArguments arguments, int bytes, boolean isLarge) implements RedisCall {
        /** From here on a call is large, in bytes: 64 calls of this length take 1 MiB, the most of a round trip. */
        private static final int LARGE_BYTES = 1 << 14;

        /** So many bytes of a reply count as one that is sent. */
        private static final int REPLIES = 4;

        /**
         * @param sentBytes how much it sends, without the text of a script
         */
        public static Command of(CommandArguments arguments, int sentBytes, ReplyBytes replyBytes) {
            int most = sentBytes + replyBytes.most() / REPLIES;
            return new Command(arguments, sentBytes + replyBytes.expected() / REPLIES, most >= LARGE_BYTES);
        }

        /** One that hears little. */
        public static Command of(CommandArguments arguments) {
            int bytes = 0;
            for (Rawable each : arguments) {
                bytes += each.getRaw().length;
            }
            return of(arguments, bytes, ReplyBytes.FEW);
        }

        @Override
        public DecisionCall question() {
            return null;
        }

        @Override
        public boolean bringsText() {
            return false;
        }

        @Override
        public CommandArguments command(ScriptCommand spare) {
            return arguments;
        }

        @Override
        public Object answer(Object reply) {
            return reply;
        }
    }
}
