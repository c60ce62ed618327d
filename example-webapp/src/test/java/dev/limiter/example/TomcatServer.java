package dev.limiter.example;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * A Tomcat as one downloads it, started by the commands of the guide; it ends when it is closed,
 * and with this JVM however that ends.
 */
final class TomcatServer implements AutoCloseable {
    /** Ends what it started when its standard input ends. */
    private static final String GUARDED = "(%s) </dev/null & p=$!; trap \"kill $p\" TERM INT; cat >/dev/null; kill $p";

    private final Process process;
    private final Path log;

    private TomcatServer(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Chooses a free port for the Tomcat in {@code home}.
     *
     * @return the port
     */
    static int configure(Path home) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Path configuration = home.resolve("conf/server.xml");
        String text = Files.readString(configuration)
                .replaceFirst("(<Server port=)\"-?\\d+\"", "$1\"-1\"")
                .replaceFirst("(<Connector port=)\"\\d+\"", "$1\"" + port + '"');
        Files.writeString(configuration, text);
        return port;
    }

    /**
     * Starts it.
     *
     * @param commands the last of which starts it and does not return
     * @param directory where the commands are given
     */
    static TomcatServer start(String commands, Path directory, Path home, Path log) throws IOException {
        int last = commands.strip().lastIndexOf('\n') + 1;
        String assignments = commands.substring(last).matches("(?s)\\w+=.*") ? "env " : "";
        String replaced = commands.substring(0, last) + "exec " + assignments + commands.substring(last);
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", GUARDED.formatted(replaced))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        shell.environment().put("CATALINA_HOME", home.toString());
        shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // It lives for seconds: the second compiler costs more than it saves.
        shell.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        return new TomcatServer(shell.start(), log);
    }

    /**
     * Waits until the application answers OPTIONS, which no limit counts. Before, Tomcat answers
     * 404.
     */
    void awaitAnswer(String url) {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .build();
        Awaitility.await(url + ", see " + log)
                .atMost(Duration.ofMinutes(3)) // on a machine that has other things to do
                .ignoreExceptions()
                .until(() -> client.send(request, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        != 404);
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        Awaitility.await("Tomcat ends").until(() -> !process.isAlive());
    }

    /** Where the build has unpacked one. */
    static Path home() {
        return new File(System.getProperty("catalina.home")).toPath();
    }
}
