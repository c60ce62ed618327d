package dev.limiter.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends requests and reads responses. */
final class Http {
    private static final int AT_A_TIME = 8;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Http() {}

    /** A request to an application. */
    static Request to(URL application) {
        return new Request(application);
    }

    /** What stands at an address. */
    static Response get(URI address) {
        return new Response(send(HttpRequest.newBuilder(address).build()));
    }

    /**
     * A request whose answer is awaited later; in a thread of its own, for a shared pool may
     * have but one.
     */
    static CompletableFuture<Response> meanwhile(Supplier<Response> request) {
        return CompletableFuture.supplyAsync(request, task -> new Thread(task).start());
    }

    /** The {@code r} of a policy in the RateLimit field. */
    static int remaining(Response response, String policy) {
        String field = response.header("RateLimit");
        Matcher matcher = Pattern.compile('"' + policy + "\";r=(\\d+)").matcher(String.valueOf(field));
        assertThat(matcher.find()).as("%s %s", response.statusCode(), field).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    /** Sends a request as it is written. */
    static HttpResponse<String> send(HttpRequest request) {
        return later(request).join();
    }

    /** Sends a request this many times at once, each on a connection of its own. */
    static List<HttpResponse<String>> atOnce(int times, HttpRequest request) {
        List<CompletableFuture<HttpResponse<String>>> running =
                Stream.generate(() -> later(request)).limit(times).toList();
        return running.stream().map(CompletableFuture::join).toList();
    }

    /** Sends many requests, some of them at a time, and counts the answers by their status. */
    static Map<Integer, Long> statuses(List<HttpRequest> requests) {
        ExecutorService senders = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            return requests.stream()
                    .map(request ->
                            CompletableFuture.supplyAsync(() -> send(request).statusCode(), senders))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .collect(Collectors.groupingBy(status -> status, Collectors.counting()));
        } finally {
            senders.shutdownNow();
        }
    }

    private static CompletableFuture<HttpResponse<String>> later(HttpRequest request) {
        return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }
}
