package dev.limiter.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes of both builds on one Redis. */
final class Instances implements AutoCloseable {
    static final Path EARLIER = Path.of("target/from/build").toAbsolutePath();

    private final String uri;
    private final List<Running> running = new ArrayList<>();

    enum Build {
        EARLIER,
        PRESENT
    }

    Instances(String uri) {
        this.uri = uri;
    }

    /** A process that answers calls. */
    static final class Running {
        private final Process process;
        private final BufferedReader answers;

        private Running(Process process) {
            this.process = process;
            this.answers = process.inputReader(StandardCharsets.UTF_8);
        }

        String call(String call) throws IOException {
            process.getOutputStream().write((call + '\n').getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.readLine();
            assertThat(answer)
                    .as("answer to \"%s\"; the process has written why it ended", call)
                    .isNotNull();
            return answer;
        }

        /** Ends it in order. */
        void end() throws IOException, InterruptedException {
            process.getOutputStream().close();
            assertThat(process.waitFor()).isZero();
        }

        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    /** Starts a process, which has certainly the classes of its build. */
    Running start(Build build) throws IOException {
        List<String> command = ChildJvm.command(Instance.class.getName(), uri);
        if (build == Build.EARLIER) {
            command.set(command.indexOf("-classpath") + 1, earlierClassPath());
        }
        Running started = new Running(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        running.add(started);
        assertThat(started.call("build").contains("/target/from/"))
                .as("whether it is the earlier build")
                .isEqualTo(build == Build.EARLIER);
        return started;
    }

    /** This test's own classes, and the earlier build with the libraries that it had. */
    private static String earlierClassPath() throws IOException {
        return String.join(
                System.getProperty("path.separator"),
                Path.of("target/test-classes").toAbsolutePath().toString(),
                earlierJar("limiter-redis"),
                earlierJar("extensions/limiter-queue"),
                Files.readString(EARLIER.resolve("limiter-redis/target/classpath"))
                        .strip());
    }

    /** Whether the earlier commit has the module; what a new module exports cannot change. */
    static boolean wasPublished(String module) {
        return Files.exists(EARLIER.resolve(module + "/pom.xml"));
    }

    /** The JAR of a published module as the earlier commit builds it. */
    static String earlierJar(String module) throws IOException {
        String name = Path.of(module).getFileName() + "-[0-9]*.jar";
        try (var jars = Files.newDirectoryStream(EARLIER.resolve(module + "/target"), name)) {
            for (Path jar : jars) {
                if (!jar.toString().matches(".*-(tests|sources|javadoc)\\.jar")) {
                    return jar.toString();
                }
            }
        }
        throw new IllegalStateException("no JAR of " + module + " in " + EARLIER);
    }

    @Override
    public void close() {
        running.forEach(each -> each.process.destroyForcibly());
    }
}
