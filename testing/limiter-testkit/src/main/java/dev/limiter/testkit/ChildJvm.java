package dev.limiter.testkit;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JVM that a test starts: that of the test, with its class path, its compilers and its garbage
 * collector.
 *
 * <pre>{@code
 * new ProcessBuilder(ChildJvm.command("-Dport=0", Worker.class.getName(), "argument")).start();
 * }</pre>
 */
public final class ChildJvm {
    private ChildJvm() {}

    /** The command, with further options, the main class and its arguments. */
    public static List<String> command(String... rest) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:"))
                .forEach(command::add);
        command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        command.addAll(Arrays.asList(rest));
        return command;
    }

    /** The figures of a line that the JVM writes, such as {@code asked=7 wrong=0}. */
    public static Map<String, String> report(String line) {
        return Stream.of(line.split(" "))
                .map(figure -> figure.split("="))
                .collect(Collectors.toMap(figure -> figure[0], figure -> figure[1]));
    }
}
