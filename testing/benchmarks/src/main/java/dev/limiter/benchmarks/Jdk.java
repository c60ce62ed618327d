package dev.limiter.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Java to run experiments with. */
record Jdk(Path home) {
    private static final Path USUAL = Path.of("/usr/lib/jvm");

    /** The JDK that runs this program. */
    static Jdk own() {
        return new Jdk(Path.of(System.getProperty("java.home")));
    }

    /**
     * A JDK with virtual threads: this one, the one that {@code -Dbenchmarks.jdk25} or
     * {@code JAVA25_HOME} names, or one in the usual place.
     */
    static Optional<Jdk> withVirtualThreads() {
        String property = System.getProperty("benchmarks.jdk25", "");
        String variable = System.getenv().getOrDefault("JAVA25_HOME", "");
        Stream<Path> named =
                Stream.of(property, variable).filter(text -> !text.isBlank()).map(Path::of);
        Optional<Jdk> found = Stream.concat(named, usual().stream())
                .map(Jdk::new)
                .filter(jdk -> Files.isExecutable(jdk.java()))
                .findFirst();
        return Runtime.version().feature() >= 21 ? found.or(() -> Optional.of(own())) : found;
    }

    private static List<Path> usual() {
        if (!Files.isDirectory(USUAL)) {
            return List.of();
        }
        try (Stream<Path> homes = Files.list(USUAL)) {
            return homes.filter(home -> home.getFileName().toString().contains("25"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    Path java() {
        return home.resolve("bin/java");
    }

    /** The JDK's name of itself. */
    String version() {
        return Command.output(java().toString(), "-version")
                .map(lines -> lines.lines().skip(1).findFirst().orElse(lines))
                .orElse("unknown");
    }
}
