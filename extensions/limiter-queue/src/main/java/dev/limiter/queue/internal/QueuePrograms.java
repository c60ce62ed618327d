package dev.limiter.queue.internal;

import dev.limiter.queue.QueueStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The scripts of {@code lua/queue}: one for each operation of a queue. */
record QueuePrograms(String offer, String take, String acknowledge, String state, String stats) {
    private static final QueuePrograms OF_STREAMS = in("stream");
    private static final QueuePrograms OF_LISTS = in("list");

    static QueuePrograms of(QueueStorage form) {
        return switch (form) {
            case STREAM -> OF_STREAMS;
            case LIST -> OF_LISTS;
        };
    }

    private static QueuePrograms in(String form) {
        String common = read("keys") + read(form);
        return new QueuePrograms(
                common + read("offer"),
                common + read("take"),
                common + read("acknowledge"),
                common + read("state"),
                common + read("stats"));
    }

    private static String read(String file) {
        String name = "/dev/limiter/queue/lua/" + file + ".lua";
        try (InputStream in = QueuePrograms.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the class path lacks the script " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
