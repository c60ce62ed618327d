package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimited;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Redis that does not answer holds threads that may be held, and no event loop. */
@Tag("faults")
class StoreAwayTest {
    private static final int REQUESTS = 10_000;
    private static final int AT_ONCE = 100;

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class))
            .overrideConfigKey("limiter.redis.deadline", "2s")
            .overrideConfigKey("quarkus.vertx.max-event-loop-execute-time", "1s")
            .setLogRecordPredicate(line -> line.getLoggerName().endsWith("BlockedThreadChecker"))
            .assertLogRecords(lines -> assertThat(lines).isEmpty()));

    @TestHTTPResource
    URI root;

    @Path("away")
    public static class Away {
        @GET
        @RateLimited(name = "away", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1_000_000, window = "1d")
        public Uni<String> limited() {
            return Uni.createFrom().item(() -> Thread.currentThread().getName());
        }

        @GET
        @Path("free")
        public Uni<String> free() {
            return limited();
        }
    }

    @Test
    void eventLoopGoesOnWhileDecisionsWait() throws InterruptedException {
        Client client = new Client(root);
        assertThat(client.get("/away").statusCode()).isEqualTo(200);
        Redis.pause();
        try {
            List<CompletableFuture<HttpResponse<String>>> waiting =
                    Stream.generate(() -> client.begin("/away")).limit(20).toList();
            List<CompletableFuture<HttpResponse<String>>> free =
                    Stream.generate(() -> client.begin("/away/free")).limit(20).toList();
            free.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
            waiting.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(200));
            Semaphore places = new Semaphore(AT_ONCE);
            List<CompletableFuture<HttpResponse<String>>> all = IntStream.range(0, REQUESTS)
                    .mapToObj(each -> {
                        places.acquireUninterruptibly();
                        return client.begin("/away").whenComplete((answer, failed) -> places.release());
                    })
                    .toList();
            assertThat(all).allSatisfy(each -> {
                assertThat(each.join().statusCode()).isEqualTo(200);
                assertThat(each.join().body()).startsWith("vert.x-eventloop-thread");
            });
            assertThat(client.get("/q/health/ready").body()).contains("unreachable");
        } finally {
            Redis.resume();
        }
        await().until(() -> !client.get("/q/health/ready").body().contains("unreachable"));
    }
}
