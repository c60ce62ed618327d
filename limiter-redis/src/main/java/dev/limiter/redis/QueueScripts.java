package dev.limiter.redis;

import dev.limiter.QueueForm;

/** {@code lua/queue}: what can be asked of a queue, one program for each. */
record QueueScripts(Script offer, Script take, Script acknowledge, Script state, Script census) {
    private static final QueueScripts OF_STREAMS = in("stream");
    private static final QueueScripts OF_LISTS = in("list");

    static QueueScripts of(QueueForm form) {
        return switch (form) {
            case STREAM -> OF_STREAMS;
            case LIST -> OF_LISTS;
        };
    }

    private static QueueScripts in(String form) {
        return new QueueScripts(
                Script.queue(form, "offer"),
                Script.queue(form, "take"),
                Script.queue(form, "acknowledge"),
                Script.queue(form, "state"),
                Script.queue(form, "census"));
    }
}
