package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/**
 * The executable of Redis, unpacked into a directory of its own.
 *
 * @param file the executable
 * @param unpacked whether it is a temporary copy; a file of the same name in the working directory is used as it is
 */
record Binary(Path file, boolean unpacked) {

    static Binary unpack() {
        try {
            Path file = RedisExecProvider.defaultProvider().get().toPath();
            return new Binary(file.toAbsolutePath(), file.isAbsolute());
        } catch (IOException failed) {
            throw new UncheckedIOException("Redis could not be unpacked: " + failed.getMessage(), failed);
        }
    }

    /** The directory to remove, empty if there is none. */
    String directory() {
        return unpacked ? file.getParent().toString() : "";
    }

    /** A running server no longer needs its file. */
    void delete() {
        if (!unpacked) {
            return;
        }
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + file + ": " + failed.getMessage(), failed);
        }
    }
}
