package dev.limiter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/**
 * The executable of Redis. What the testkit brings is unpacked once, and vanishes with this JVM.
 */
final class Binary {
    private static final String OF_ONES_OWN = System.getProperty("testkit.redis-server", "");

    private Binary() {}

    /** Absolute, because each server starts in its own directory. */
    static Path file() {
        return OF_ONES_OWN.isEmpty() ? Unpacked.FILE : ownExecutable();
    }

    private static Path ownExecutable() {
        Path file = Path.of(OF_ONES_OWN).toAbsolutePath();
        if (!Files.isExecutable(file)) {
            throw new IllegalStateException("testkit.redis-server names no executable: " + file);
        }
        return file;
    }

    /** Loaded when it is first asked for. */
    private static final class Unpacked {
        private static final Path FILE = unpack();

        private static Path unpack() {
            try {
                Path file = RedisExecProvider.defaultProvider().get().toPath();
                if (file.isAbsolute()) {
                    TemporaryDirectory.removeWithThisJvm(file.getParent());
                }
                return file.toAbsolutePath(); // one of its name in the working directory is not unpacked
            } catch (IOException failed) {
                throw new UncheckedIOException("Redis could not be unpacked: " + failed.getMessage(), failed);
            }
        }
    }
}
