package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A directory that vanishes with {@link #close}, and also with this JVM, however that ends: a
 * shell removes it when it reads the end of a pipe whose other end only this JVM holds.
 */
final class TemporaryDirectory implements AutoCloseable {

    /**
     * Signals that are meant for the JVM reach the shell as well; it has to outlive it for a
     * moment.
     */
    private static final String REMOVER = """
            trap '' TERM INT HUP
            read -r end
            rm -rf "$0"
            """;

    private final Path path;
    private final Process remover;

    private TemporaryDirectory(Path path, Process remover) {
        this.path = path;
        this.remover = remover;
    }

    /** @param prefix of its name */
    static TemporaryDirectory create(String prefix) {
        Path path = null;
        try {
            path = Files.createTempDirectory(prefix);
            return removeWithThisJvm(path);
        } catch (IOException failed) {
            if (path != null) {
                delete(path);
            }
            throw new UncheckedIOException("no temporary directory: " + failed.getMessage(), failed);
        }
    }

    /** Makes a directory that is there one that vanishes. */
    static TemporaryDirectory removeWithThisJvm(Path path) throws IOException {
        Process remover = new ProcessBuilder("sh", "-c", REMOVER, path.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new TemporaryDirectory(path, remover);
    }

    Path path() {
        return path;
    }

    /** Removes it with everything in it and waits for that; does nothing the second time. */
    @Override
    public void close() {
        try {
            remover.getOutputStream().close();
            remover.waitFor(ServerProcess.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            // Closing the pipe has already asked for the end; only the waiting is given up.
            Thread.currentThread().interrupt();
        }
    }

    /** Removes a directory that no shell was given to. */
    static void delete(Path directory) {
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + directory + ": " + failed.getMessage(), failed);
        }
    }
}
