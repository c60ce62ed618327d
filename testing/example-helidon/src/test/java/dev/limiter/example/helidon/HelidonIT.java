package dev.limiter.example.helidon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code docs/stacks.md} for Helidon, in their order, on the service that the build
 * has made of exactly its files, and what its sentences promise. Two addresses differ, the
 * service's port and Redis', and a decision may take as long as it takes on a loaded machine.
 */
class HelidonIT {
    private static final List<String> COMMANDS = Guide.blocksOf("docs/stacks.md").stream()
            .filter(block -> block.kind().equals("sh"))
            .skip(6) // those of Tomcat
            .map(Guide.Block::text)
            .toList();

    @TempDir
    private static Path directory;

    private static RedisServer redis;
    private static HelidonService service;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisServer.start();
        service = new HelidonService(
                COMMANDS.get(1),
                "-Dlimiter.redis.uri=" + redis.uri() + " -Dlimiter.redis.deadline=20s",
                directory.resolve("log"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (service != null) {
            service.close();
        }
        redis.close();
    }

    @Test
    void theCommandsOfThePageDoWhatItSays() throws Exception {
        assumeTrue(isInstalled("curl"), "curl is not installed");
        assertThat(COMMANDS).hasSize(6);
        assertThat(COMMANDS.get(0)).as("this the build has done").isEqualTo("mvn package\n");
        assertThat(run(COMMANDS.get(2)).strip()).isEqualTo("200 200 200 429");
        String refused = run(COMMANDS.get(3));
        assertThat(refused)
                .contains("HTTP/1.1 429 ", "RateLimit: \"reader\";r=0;t=", "RateLimit-Policy: \"reader\";q=3;w=180")
                .contains("\"violated-policies\":[\"reader\"]");
        assertThat(number("Retry-After: (\\d+)", refused)).isBetween(1L, 60L);
        assertThat(run(COMMANDS.get(4))).isEqualTo("2 left\n");
        assertThat(run(COMMANDS.get(5)).lines())
                .contains(
                        "limiter_decisions_total{outcome=\"admitted\",policy=\"reader\",} 4.0",
                        "limiter_decisions_total{outcome=\"rejected\",policy=\"reader\",} 2.0");
        assertThat(service.log())
                .contains("Rate limits in force on orders.OrderResource")
                .doesNotContain("limiter.redis.uri is not set");
    }

    /** A virtual thread serves the request that is in flight. */
    @Test
    void aLeaseComesBackWithTheResponse() throws Exception {
        CompletableFuture<HttpResponse<String>> first =
                client("127.0.0.1").sendAsync(request("held").GET().build(), BodyHandlers.ofString());
        post("held/arrived");
        assertThat(get("held").statusCode()).isEqualTo(429);
        post("held/released");
        assertThat(first.get().body()).isEqualTo("virtual: true");
        post("held/released");
        assertThat(get("held").statusCode()).as("its lease has come back").isEqualTo(200);
    }

    @Test
    void aLeaseComesBackFromAMethodThatThrows() throws Exception {
        assertThat(get("held/failing").statusCode()).isEqualTo(500);
        assertThat(get("held/failing").statusCode()).isEqualTo(500);
    }

    @Test
    void theProxyIsBelievedAndOthersAreNot() throws Exception {
        assertThat(once("127.0.0.1", "203.0.113.1")).isEqualTo(200);
        assertThat(once("127.0.0.1", "203.0.113.2")).isEqualTo(200);
        assertThat(once("127.0.0.1", "203.0.113.1")).isEqualTo(429);
        assertThat(once("127.0.0.2", "203.0.113.3")).isEqualTo(200);
        assertThat(once("127.0.0.2", "203.0.113.4")).isEqualTo(429);
    }

    @Test
    void aMethodWithoutLimitsAsksThoseOfTheApplication() throws Exception {
        assertThat(get("held/asked").body()).isEqualTo("limit 1");
        assertThat(get("held/asked").statusCode()).isEqualTo(429);
    }

    /** Of two, Helidon would not start if the other one was the first. */
    @Test
    void theLimiterBringsNoImplementationOfMicroProfileConfig() {
        assertThat(Guide.PROJECT
                        .resolve("testing/example-helidon/target/libs")
                        .toFile()
                        .list())
                .anySatisfy(jar -> assertThat(jar).startsWith("limiter-jaxrs"))
                .anySatisfy(jar -> assertThat(jar).startsWith("helidon-config-mp"))
                .noneSatisfy(jar -> assertThat(jar).startsWith("smallrye"));
    }

    private static int once(String from, String forwardedFor) throws Exception {
        return client(from)
                .send(
                        request("held/once")
                                .header("X-Forwarded-For", forwardedFor)
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return client("127.0.0.1").send(request(path).build(), BodyHandlers.ofString());
    }

    private static void post(String path) throws Exception {
        HttpRequest request = request(path).POST(BodyPublishers.noBody()).build();
        assertThat(client("127.0.0.1").send(request, BodyHandlers.ofString()).statusCode())
                .isEqualTo(204);
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.port() + '/' + path));
    }

    /** A client with this address. */
    private static HttpClient client(String from) throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.getByName(from))
                .build();
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static boolean isInstalled(String program) throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v " + program + " >/dev/null")
                        .start()
                        .waitFor()
                == 0;
    }

    private static String run(String command) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", command.replace("localhost:8080", "localhost:" + service.port()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as("%s", command).isZero();
        return output;
    }
}
