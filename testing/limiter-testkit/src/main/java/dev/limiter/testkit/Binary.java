package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/**
 * The executable of Redis, and a temporary directory for whatever its server writes, such as what
 * a replica receives.
 *
 * @param file the executable
 * @param directory the working directory of the server, which is to be removed after it
 * @param unpacked whether the file is a temporary copy in that directory; a file of the same name
 *     in the working directory is used as it is
 */
record Binary(Path file, Path directory, boolean unpacked) {
    private static final String OF_ONES_OWN = System.getProperty("testkit.redis-server", "");

    static Binary unpack() {
        try {
            if (!OF_ONES_OWN.isEmpty()) {
                return new Binary(ownExecutable(), Files.createTempDirectory("redis"), false);
            }
            Path file = RedisExecProvider.defaultProvider().get().toPath();
            return file.isAbsolute()
                    ? new Binary(file, file.getParent(), true)
                    : new Binary(file.toAbsolutePath(), Files.createTempDirectory("redis"), false);
        } catch (IOException failed) {
            throw new UncheckedIOException("Redis could not be unpacked: " + failed.getMessage(), failed);
        }
    }

    /** Absolute, because the server starts in its own directory. */
    private static Path ownExecutable() {
        Path file = Path.of(OF_ONES_OWN).toAbsolutePath();
        if (!Files.isExecutable(file)) {
            throw new IllegalStateException("testkit.redis-server names no executable: " + file);
        }
        return file;
    }

    /**
     * Writes a file that the server reads.
     *
     * @param name without a directory
     */
    void write(String name, String text) {
        try {
            Files.writeString(directory.resolve(name), text);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + name + ": " + failed.getMessage(), failed);
        }
    }

    /** A running server no longer needs its file, which is the largest in the directory. */
    void delete() {
        if (unpacked) {
            delete(file);
        }
    }

    /**
     * For a server that was never started; after the others the directory is removed by their
     * shell.
     */
    void deleteDirectory() {
        TemporaryDirectory.delete(directory);
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot remove " + file + ": " + failed.getMessage(), failed);
        }
    }
}
