package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand requests at once to a queue with slots of 4 ms: on virtual threads all wait. The
 * suite of the servers shows that on others no more wait than may.
 */
class WaitingIT {
    private static final int REQUESTS = 1_000;
    private static final int SLOT_MILLIS = 4;

    @TempDir
    private Path directory;

    @BeforeEach
    void emptyRedis() {
        SharedRedis.configure();
        SharedRedis.empty();
    }

    /**
     * No place to wait is configured, and none is needed. Before JDK 24, a virtual thread that
     * waits within a lock holds a real one.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void onVirtualThreadsAThousandWaitAndAllRunInTheirSlots() throws Exception {
        QueuedThreadPool threads = new QueuedThreadPool(16);
        threads.setVirtualThreadsExecutor(perTask());
        try (OwnJetty jetty = new OwnJetty(directory, threads)) {
            long began = System.currentTimeMillis();
            List<HttpResponse<String>> responses = atOnce(jetty.url(jetty.deploy(queue())));
            assertThat(responses).allMatch(response -> response.statusCode() == 200);
            assertInSlots(began, responses);
            System.out.println(
                    REQUESTS + " requests held on virtual threads of a pool of 16, all admitted in their slots, in "
                            + (System.currentTimeMillis() - began) + " ms");
        }
    }

    /**
     * However late they ran, the k-th to run did so no earlier than k slots after the beginning.
     */
    private static void assertInSlots(long began, List<HttpResponse<String>> admitted) {
        List<Long> ran = admitted.stream()
                .map(response -> Long.parseLong(response.body()))
                .sorted()
                .toList();
        for (int k = 0; k < ran.size(); k++) {
            assertThat(ran.get(k)).as("request " + k).isGreaterThanOrEqualTo(began + (long) k * SLOT_MILLIS);
        }
    }

    private static List<HttpResponse<String>> atOnce(String url) {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "queue")).build();
        return Stream.generate(() -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .limit(REQUESTS)
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static WebArchive queue() {
        return Wars.with("limiter.slot-wait.max=0", "queue", "DeskApplication", "QueueResource");
    }

    /**
     * What {@code Executors.newVirtualThreadPerTaskExecutor()} gives, on a JDK that may be too
     * old to compile against.
     */
    private static Executor perTask() throws ReflectiveOperationException {
        return (Executor)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
