package dev.limiter.operations;

import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Three instances of one application on one Redis, each a process. The test classes share them.
 * They and Redis run when a test begins, and end with this JVM.
 */
final class Processes {
    static final int INSTANCES = 3;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Processes SHARED = new Processes();

    /** With a restart it loses nothing. */
    final RedisServer redis;

    private final List<Process> running = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private Processes() {
        try {
            Path folder = Files.createTempDirectory(Path.of("target"), "redis").toAbsolutePath();
            this.redis = RedisServer.start("--dir", folder.toString(), "--appendonly", "yes");
            for (int i = 0; i < INSTANCES; i++) {
                running.add(start());
            }
            for (Process process : running) {
                ports.add(port(process));
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    static Processes shared() {
        return SHARED;
    }

    private Process start() throws IOException {
        return new ProcessBuilder(ChildJvm.command(
                        "-Xmx256m",
                        Instance.class.getName(),
                        "limiter.redis.uri=" + redis.uri(),
                        "limiter.application=operated",
                        "limiter.redis.deadline=20s"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int port(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(Instance.LISTENING)) {
                return Integer.parseInt(line.substring(Instance.LISTENING.length()));
            }
        }
        throw new IOException("an instance did not start");
    }

    void kill(int instance) throws InterruptedException {
        running.get(instance).destroyForcibly().waitFor();
    }

    /** Another process takes the place of one that was killed. */
    void startAnew(int instance) throws IOException {
        running.set(instance, start());
        ports.set(instance, port(running.get(instance)));
    }

    HttpResponse<String> get(int instance, String path, String user) {
        return send(instance, "GET", path, user, null).join();
    }

    HttpResponse<String> put(int instance, String path, String body) {
        return send(instance, "PUT", path, "operator", body).join();
    }

    HttpResponse<String> delete(int instance, String path) {
        return send(instance, "DELETE", path, "operator", null).join();
    }

    CompletableFuture<HttpResponse<String>> send(int instance, String verb, String path, String user, String body) {
        HttpRequest.BodyPublisher content =
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.get(instance) + "/" + path))
                .method(verb, content)
                .header("Content-Type", "application/json");
        if (user != null) {
            request.header("X-User", user);
        }
        return CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
