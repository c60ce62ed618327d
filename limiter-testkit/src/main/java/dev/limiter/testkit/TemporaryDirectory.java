package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Removes a directory with everything in it. */
final class TemporaryDirectory {

    private TemporaryDirectory() {}

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
