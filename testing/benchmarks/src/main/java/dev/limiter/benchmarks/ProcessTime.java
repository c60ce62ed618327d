package dev.limiter.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The time that a process has had on processors, with all of its threads. */
final class ProcessTime {
    private static final double MICROS_IN_TICK = 10_000;
    /** Counted behind the name of the program, which may have blanks in it. */
    private static final int USER = 11;

    private static final int SYSTEM = 12;

    private ProcessTime() {}

    static double micros(long pid) {
        try {
            return micros(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    /** @param stat as in {@code man 5 proc} */
    static double micros(String stat) {
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return MICROS_IN_TICK * (Long.parseLong(words[USER]) + Long.parseLong(words[SYSTEM]));
    }
}
