package dev.limiter.example.runner;

import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link Main} in a process of its own, as Maven starts it; closing it leaves nothing behind. */
final class RunningExample implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern ADDRESS = Pattern.compile("open at (http://localhost:\\d+/)");

    private final Process process;
    private final Path out;
    private final Path err;

    private RunningExample(Path directory, List<String> command) throws IOException {
        out = directory.resolve("out");
        err = directory.resolve("err");
        process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    static RunningExample start(Path directory, String... settings) throws IOException {
        return new RunningExample(directory, command(settings));
    }

    /** Started by a shell that waits for it, as a process between the test and {@link Main}. */
    static RunningExample startByShell(Path directory, String... settings) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" & wait", "sh"));
        command.addAll(command(settings));
        return new RunningExample(directory, command);
    }

    private static List<String> command(String... settings) {
        List<String> command = ChildJvm.command(settings);
        command.addAll(List.of(Main.class.getName(), System.getProperty("example.war")));
        return command;
    }

    Process process() {
        return process;
    }

    /** The process and all below it. */
    List<ProcessHandle> processes() {
        List<ProcessHandle> all =
                new ArrayList<>(process.toHandle().descendants().toList());
        all.add(process.toHandle());
        return all;
    }

    /** Waits until the example says where it is. */
    String address() {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !process.isAlive() || ADDRESS.matcher(read(out)).find());
        Matcher address = ADDRESS.matcher(read(out));
        if (!address.find()) {
            throw new AssertionError("ended with " + process.exitValue() + ": " + errors());
        }
        return address.group(1);
    }

    int get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address() + path))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + read(out) + errors());
        }
        return process.exitValue();
    }

    List<String> errors() {
        return read(err).lines().toList();
    }

    @Override
    public void close() {
        processes().forEach(ProcessHandle::destroyForcibly);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
