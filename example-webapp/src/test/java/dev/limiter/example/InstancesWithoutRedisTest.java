package dev.limiter.example;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.testkit.ChildJvm;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes with a Jetty each and no Redis, which were told how many they are. */
class InstancesWithoutRedisTest {
    private static final int INSTANCES = 3;
    private static final int REQUESTS = 300;

    @TempDir
    private java.nio.file.Path directory;

    /** Limited for all callers together; the window is longer than the test. */
    @Path("")
    public static class Hundred {
        @GET
        @Path("window")
        @RateLimited(name = "window", key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 100, window = "1h")
        public String window() {
            return "in";
        }

        @GET
        @Path("rate")
        @RateLimited(name = "rate", key = "'all'", algorithm = Algorithm.GCRA, limit = 100, window = "3h", burst = 100)
        public String rate() {
            return "in";
        }

        @GET
        @Path("two")
        @RateLimited(name = "two", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
        public String two() {
            return "in";
        }
    }

    /** A process that serves until its input ends. */
    public static void main(String[] none) throws Exception {
        try (BareJetty server = new BareJetty(Hundred.class)) {
            System.out.println(server.port());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    @Test
    void admitALimitTogether() throws Exception {
        List<Process> processes = new ArrayList<>();
        List<java.nio.file.Path> logs = new ArrayList<>();
        try {
            for (int i = 0; i < INSTANCES; i++) {
                logs.add(directory.resolve("log" + i));
                processes.add(new ProcessBuilder(ChildJvm.command(
                                "-Dlimiter.expected-instances=" + INSTANCES, InstancesWithoutRedisTest.class.getName()))
                        .redirectError(logs.get(i).toFile())
                        .start());
            }
            List<URI> addresses = new ArrayList<>();
            for (Process process : processes) {
                addresses.add(URI.create("http://localhost:" + firstLine(process) + "/"));
            }
            Map<Integer, Integer> window = ask(addresses, "window");
            Map<Integer, Integer> rate = ask(addresses, "rate");
            Map<Integer, Integer> two = ask(addresses, "two");
            System.out.println(
                    INSTANCES + " processes without Redis, limiter.expected-instances=" + INSTANCES + ", " + REQUESTS
                            + " requests, limit 100: FIXED_WINDOW " + window + ", GCRA " + rate + "; limit 2: " + two);
            assertThat(window).containsOnly(Map.entry(200, 99), Map.entry(429, 201));
            assertThat(rate).containsOnly(Map.entry(200, 99), Map.entry(429, 201));
            assertThat(two).containsOnly(Map.entry(200, 3), Map.entry(429, 297));
            assertThat(Files.readString(logs.get(0)))
                    .contains("each of 3 processes admits its part (limiter.expected-instances)")
                    .contains("\"two\", SLIDING_LOG 2 per 1h, cannot be divided among 3 instances");
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static String firstLine(Process process) throws IOException {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII)).readLine();
    }

    /** Sends the requests at once, in turn to each instance; returns how many got each status. */
    private static Map<Integer, Integer> ask(List<URI> addresses, String path) {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            HttpRequest request = HttpRequest.newBuilder(
                            addresses.get(i % addresses.size()).resolve(path))
                    .build();
            answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (CompletableFuture<HttpResponse<String>> each : answers) {
            HttpResponse<String> answer = each.join();
            statuses.merge(answer.statusCode(), 1, Integer::sum);
            if (path.equals("window")) {
                assertThat(answer.headers().allValues("RateLimit-Policy")).containsExactly("\"window\";q=33;w=3600");
            }
        }
        return statuses;
    }
}
