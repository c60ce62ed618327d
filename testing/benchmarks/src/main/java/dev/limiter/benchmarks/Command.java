package dev.limiter.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Programs of the system. */
final class Command {
    private Command() {}

    static boolean exists(String program) {
        return path(program).isPresent();
    }

    static Optional<Path> path(String program) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path file = Path.of(directory, program);
            if (Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** The output of a program that ends by itself; empty if it fails. */
    static Optional<String> output(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            throw new UncheckedIOException(new IOException("interrupted while running " + words[0], interrupted));
        }
    }
}
