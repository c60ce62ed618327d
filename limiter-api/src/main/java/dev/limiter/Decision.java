package dev.limiter;

import java.time.Duration;
import java.util.List;

/** The outcome of a group: every policy admitted and was charged, or at least one did not and nothing was charged. */
public sealed interface Decision {

    /** One answer for each demand, in the order of the group. */
    List<Answer> answers();

    /** Whether the request may pass. */
    default boolean admitted() {
        return this instanceof Admitted;
    }

    /** The decision that these answers amount to. */
    static Decision of(List<Answer> answers) {
        for (Answer answer : answers) {
            if (!answer.admitted()) {
                return new Rejected(answers);
            }
        }
        return new Admitted(answers);
    }

    /**
     * Every policy admitted and was charged.
     *
     * @param answers all admitted
     */
    record Admitted(List<Answer> answers) implements Decision {}

    /**
     * At least one policy did not admit; nothing was charged anywhere.
     *
     * @param answers at least one not admitted
     */
    record Rejected(List<Answer> answers) implements Decision {

        /** The answers that did not admit, in the order of the group; at least one. */
        public List<Answer> failing() {
            return answers.stream().filter(answer -> !answer.admitted()).toList();
        }

        /** The longest wait among the failing policies: after it, the same request passes if nobody else comes. */
        public Duration retryAfter() {
            long micros = 0;
            for (Answer answer : answers) {
                micros = Math.max(micros, answer.retryAfterMicros());
            }
            return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
        }
    }
}
