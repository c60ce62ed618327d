package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.operations.CallerLimits;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Three servers without Redis, which were told how many they are. */
class InstancesWithoutRedisTest {
    private static final int REQUESTS = 300;

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

    /** What callers are told of their limits. */
    @Path("limits/me")
    public static class MyLimits extends CallerLimits {}

    /** No limit counts this request, so no filter has met it. */
    @Test
    void aCallerSeesItsLimits() throws Exception {
        try (BareJetty one = new BareJetty(MyLimits.class)) {
            URI address = URI.create("http://localhost:" + one.port() + "/limits/me");
            HttpResponse<String> limits = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(limits.statusCode()).isEqualTo(200);
            assertThat(limits.body()).isEqualTo("{\"limits\":[]}");
        }
    }

    @Test
    void admitALimitTogether() throws Exception {
        System.setProperty("limiter.expected-instances", "3");
        try (BareJetty one = new BareJetty(Hundred.class);
                BareJetty two = new BareJetty(Hundred.class);
                BareJetty three = new BareJetty(Hundred.class)) {
            List<URI> addresses = Stream.of(one, two, three)
                    .map(instance -> URI.create("http://localhost:" + instance.port() + "/"))
                    .toList();
            assertThat(ask(addresses, "window")).containsOnly(Map.entry(200, 99), Map.entry(429, 201));
            assertThat(ask(addresses, "rate")).containsOnly(Map.entry(200, 99), Map.entry(429, 201));
            assertThat(ask(addresses, "two")).containsOnly(Map.entry(200, 3), Map.entry(429, 297));
        } finally {
            System.clearProperty("limiter.expected-instances");
        }
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
