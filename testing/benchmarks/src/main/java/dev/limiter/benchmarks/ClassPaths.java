package dev.limiter.benchmarks;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The class path of this JVM, without the limiter, or with an earlier build of it. */
final class ClassPaths {
    /** Names the folder of an earlier build, as {@code testing/upgrade/build} makes it. */
    static final String BEFORE = "benchmarks.before";

    private static final Pattern LIMITER = Pattern.compile(".*/(limiter-(?:api|local|redis|jaxrs)/target/[^/]+)");

    /** Measured alone: applications of the benchmarks have no operators. */
    private static final Pattern OPERATIONS = Pattern.compile(".*/limiter-operations/target/[^/]+");

    private ClassPaths() {}

    static String present() {
        return System.getProperty("java.class.path");
    }

    static String without() {
        return join(entry ->
                !LIMITER.matcher(entry).matches() && !OPERATIONS.matcher(entry).matches());
    }

    /** Only the limiter. */
    static String limiter() {
        return join(entry -> LIMITER.matcher(entry).matches());
    }

    /** Empty if no earlier build is named. */
    static Optional<String> before(String classPath) {
        return before(classPath, System.getProperty(BEFORE, ""));
    }

    static Optional<String> before(String classPath, String folder) {
        return folder.isBlank()
                ? Optional.empty()
                : Optional.of(Arrays.stream(classPath.split(File.pathSeparator))
                        .filter(entry -> !OPERATIONS.matcher(entry).matches())
                        .map(entry -> LIMITER.matcher(entry)
                                .replaceAll(limiter -> existing(Path.of(folder, limiter.group(1)))))
                        .collect(Collectors.joining(File.pathSeparator)));
    }

    private static String existing(Path jar) {
        if (!Files.exists(jar)) {
            throw new IllegalArgumentException(BEFORE + " names no earlier build: there is no " + jar);
        }
        return jar.toString();
    }

    private static String join(Predicate<String> wanted) {
        return Arrays.stream(present().split(File.pathSeparator))
                .filter(wanted)
                .collect(Collectors.joining(File.pathSeparator));
    }

    static List<Path> files(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
    }

    /** The option by which other JVMs know of the same earlier build. */
    static String option() {
        return "-D" + BEFORE + "=" + System.getProperty(BEFORE, "");
    }
}
