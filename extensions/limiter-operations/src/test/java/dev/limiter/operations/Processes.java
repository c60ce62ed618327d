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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Instances of one application on one Redis, each a process. */
final class Processes implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    final RedisServer redis;
    private final List<Process> running = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    /**
     * @param deadline of calls of Redis
     * @param redis options of Redis
     */
    Processes(int count, String deadline, String... redis) {
        this.redis = RedisServer.start(redis);
        try {
            for (int i = 0; i < count; i++) {
                start(deadline);
            }
        } catch (IOException failed) {
            close();
            throw new IllegalStateException(failed);
        }
    }

    private void start(String deadline) throws IOException {
        Process process = new ProcessBuilder(ChildJvm.command(
                        "-Xmx256m",
                        Instance.class.getName(),
                        "limiter.redis.uri=" + redis.uri(),
                        "limiter.application=operated",
                        "limiter.redis.deadline=" + deadline))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        running.add(process);
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(Instance.LISTENING)) {
                ports.add(Integer.parseInt(line.substring(Instance.LISTENING.length())));
                return;
            }
        }
        throw new IOException("an instance did not start");
    }

    void kill(int instance) throws InterruptedException {
        running.get(instance).destroyForcibly().waitFor();
    }

    /** One more instance; its number is that of the last. */
    void startOneMore() throws IOException {
        start("2s");
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

    @Override
    public void close() {
        running.forEach(Process::destroyForcibly);
        redis.close();
    }
}
