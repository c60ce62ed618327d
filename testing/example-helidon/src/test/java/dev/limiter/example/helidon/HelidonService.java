package dev.limiter.example.helidon;

import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The service of the page, started by its command; it ends with this JVM however that ends. */
final class HelidonService implements AutoCloseable {
    private static final String GUARDED =
            "%s </dev/null & p=$!; trap \"kill $p\" TERM INT; cat >/dev/null; kill $p; wait $p";
    private static final Pattern STARTED = Pattern.compile("Server started on http://localhost:(\\d+)");

    private final Process process;
    private final Path log;
    private final int port;

    /**
     * Starts it on a port that the system chooses.
     *
     * @param command of the page
     * @param options further ones of the JVM
     */
    HelidonService(String command, String options, Path log) throws IOException {
        this.log = log;
        String chosen = command.strip()
                .replaceFirst("^java ", "exec java -Dserver.port=0 " + options + ' ')
                .replace("target/classes:", "target/classes:target/test-classes:");
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", GUARDED.formatted('(' + chosen + ')'))
                .directory(Guide.PROJECT.resolve("testing/example-helidon").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        shell.environment().merge("PATH", System.getProperty("java.home") + "/bin:", (path, jdk) -> jdk + path);
        // It lives for seconds: the second compiler costs more than it saves.
        shell.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        this.process = shell.start();
        Awaitility.await("the service starts, see " + log)
                .atMost(Duration.ofMinutes(3)) // on a machine that has other things to do
                .until(() -> STARTED.matcher(log()).find() || !process.isAlive());
        Matcher started = STARTED.matcher(log());
        if (!started.find()) {
            throw new IllegalStateException("the service did not start:\n" + log());
        }
        this.port = Integer.parseInt(started.group(1));
    }

    int port() {
        return port;
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        Awaitility.await("the service ends").until(() -> !process.isAlive());
    }
}
