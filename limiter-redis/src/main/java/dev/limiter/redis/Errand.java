package dev.limiter.redis;

import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;

/** What a caller wants of Redis: a decision, which can be made together with others, or a command as it is. */
sealed interface Errand permits Question, Errand.WithText, Errand.Command {

    /** What is to be decided; null if it is a command. */
    Question question();

    /** Whether the text of the script has to be sent. */
    boolean bringsText();

    /** How much of a round trip it takes, in bytes: what it sends without the text of a script, and a part of what it may hear. */
    int bytes();

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
    record WithText(Question question) implements Errand {
        @Override
        public boolean bringsText() {
            return true;
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
    record Command(CommandArguments arguments, int bytes) implements Errand {
        /** One that hears little. */
        static Command of(CommandArguments arguments) {
            int bytes = 0;
            for (Rawable each : arguments) {
                bytes += each.getRaw().length;
            }
            return new Command(arguments, bytes);
        }

        @Override
        public Question question() {
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
