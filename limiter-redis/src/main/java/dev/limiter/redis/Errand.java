package dev.limiter.redis;

import redis.clients.jedis.CommandArguments;

/** What a caller wants of Redis: a decision, which can be made together with others, or a command as it is. */
sealed interface Errand permits Question, Errand.WithText, Errand.Command {

    /** What is to be decided; null if it is a command. */
    Question question();

    /** Whether the text of the script has to be sent. */
    boolean bringsText();

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
        public CommandArguments command(ScriptCommand spare) {
            return question.command(spare, true);
        }

        @Override
        public Object answer(Object reply) {
            return question.answer(reply);
        }
    }

    /** A command as it is. */
    record Command(CommandArguments arguments) implements Errand {
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
