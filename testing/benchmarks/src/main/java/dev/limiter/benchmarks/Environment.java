package dev.limiter.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The environment of the measurements.
 *
 * @param redis the server's name of itself
 * @param virtualThreads the JDK for the rows with virtual threads, if there is one
 */
record Environment(
        LocalDate date,
        int cores,
        String processor,
        String memory,
        String system,
        String redis,
        Jdk jdk,
        Optional<Jdk> virtualThreads,
        List<Peer> peers) {

    private static final long KIB_IN_GIB = 1L << 20;

    /** @param redis the server's name of itself */
    static Environment of(String redis) {
        return new Environment(
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                first("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")),
                first("/proc/meminfo", "MemTotal")
                        .map(text -> gibibytes(text) + " GiB")
                        .orElse("unknown"),
                System.getProperty("os.name"),
                redis,
                Jdk.own(),
                Jdk.withVirtualThreads(),
                Peers.all());
    }

    /** The version of a JAR on the class path, by its name. */
    static String versionOf(String artifact) {
        return Arrays.stream(ClassPaths.present().split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> name.matches(artifact + "-\\d.*\\.jar"))
                .map(name -> name.substring(artifact.length() + 1, name.length() - ".jar".length()))
                .findFirst()
                .orElse("unknown");
    }

    /** The number of a core that this process may run on. */
    static int firstCore() {
        String allowed = first("/proc/self/status", "Cpus_allowed_list").orElse("0");
        return Integer.parseInt(allowed.split("\\D")[0]);
    }

    private static long gibibytes(String kibibytes) {
        return Math.round(Long.parseLong(kibibytes.replaceAll("\\D", "")) / (double) KIB_IN_GIB);
    }

    private static Optional<String> first(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }
}
