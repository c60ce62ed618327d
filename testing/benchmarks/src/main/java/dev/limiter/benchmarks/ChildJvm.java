package dev.limiter.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM with the class path of this one, or a part of it. It ends with this JVM, which holds its
 * standard input.
 */
final class ChildJvm implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;
    /** Peers and servers log every connection. */
    private static final String QUIET = "-Djava.util.logging.config.file=logging.properties";

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * @param before words before the command, such as those of {@code taskset}
     * @param options of the JVM
     */
    static ChildJvm start(
            List<String> before,
            Jdk jdk,
            List<String> options,
            String classPath,
            Class<?> main,
            List<String> arguments) {
        List<String> words = new ArrayList<>(before);
        words.add(jdk.java().toString());
        words.addAll(options);
        words.add(QUIET);
        words.add(ClassPaths.option());
        words.addAll(Server.options());
        words.addAll(List.of("-classpath", classPath, main.getName()));
        words.addAll(arguments);
        try {
            return new ChildJvm(new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + words.get(0), failed);
        }
    }

    long pid() {
        return process.pid();
    }

    /** The next line that it prints, null at the end. */
    String line() {
        try {
            return lines.readLine();
        } catch (IOException ended) {
            return null;
        }
    }

    /**
     * Reads everything that it prints until it ends, and ends it when it takes too long.
     *
     * @return whether it ended well
     */
    boolean follow(Consumer<String> reader, Duration atMost) {
        Thread timer = new Thread(() -> endAfter(atMost));
        timer.setDaemon(true);
        timer.start();
        for (String line = line(); line != null; line = line()) {
            reader.accept(line);
        }
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while waiting for an experiment", interrupted);
        }
    }

    private void endAfter(Duration atMost) {
        try {
            if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
