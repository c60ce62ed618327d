package dev.limiter.quarkus.deployment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Sends requests to the application. */
record Client(URI root) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param headers names and values in turn */
    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).build());
    }

    CompletableFuture<HttpResponse<String>> begin(String path, String... headers) {
        return HTTP.sendAsync(request(path, headers).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String form, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form))
                .build());
    }

    /** The statuses of some requests, one after the other. */
    List<Integer> statuses(int times, String path, String... headers) {
        return IntStream.range(0, times)
                .mapToObj(each -> get(path, headers).statusCode())
                .toList();
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** The header of HTTP Basic. */
    static String[] basic(String user, String password) {
        String token = Base64.getEncoder().encodeToString((user + ':' + password).getBytes(StandardCharsets.UTF_8));
        return new String[] {"Authorization", "Basic " + token};
    }
}
