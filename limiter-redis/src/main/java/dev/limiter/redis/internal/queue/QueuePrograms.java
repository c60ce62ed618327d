package dev.limiter.redis.internal.queue;

import dev.limiter.QueueForm;
import dev.limiter.redis.internal.script.Program;

/** {@code lua/queue}: what can be asked of a queue, one program for each. */
public record QueuePrograms(Program offer, Program take, Program acknowledge, Program state, Program census) {
    private static final QueuePrograms OF_STREAMS = in("stream");
    private static final QueuePrograms OF_LISTS = in("list");

    public static QueuePrograms of(QueueForm form) {
        return switch (form) {
            case STREAM -> OF_STREAMS;
            case LIST -> OF_LISTS;
        };
    }

    private static QueuePrograms in(String form) {
        return new QueuePrograms(
                Program.queue(form, "offer"),
                Program.queue(form, "take"),
                Program.queue(form, "acknowledge"),
                Program.queue(form, "state"),
                Program.queue(form, "census"));
    }
}
