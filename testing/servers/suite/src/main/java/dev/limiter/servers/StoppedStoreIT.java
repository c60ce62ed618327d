package dev.limiter.servers;

import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Redis hangs for five seconds, as a virtual machine that is moved does, while 64 clients send
 * five requests a second each.
 */
@Tag("faults")
@ExtendWith(ArquillianExtension.class)
class StoppedStoreIT {
    private static final RedisServer OWN = RedisServer.start();
    private static final int CLIENTS = 64;
    private static final int POOL = 3; // two shared ones, and one of the monitor
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(200);

    /** Nothing limits the last one: it shows how long the machine takes by itself. */
    private static final List<String> WAYS = List.of("local", "closed", "open", "free");

    private static final long DEADLINE_MILLIS = 150;
    private static final long DEADLINE = TimeUnit.MILLISECONDS.toNanos(DEADLINE_MILLIS);

    /** More than this is no delay of the machine: requests without a limit wait, too. */
    private static final long MOST_FREE = TimeUnit.SECONDS.toNanos(2);

    /** After this time the breaker is certainly open. */
    private static final long SETTLED = TimeUnit.SECONDS.toNanos(1);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work, "test-http");
                thread.setDaemon(true);
                return thread;
            }))
            .build();

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "stopped",
                Map.of("limiter.redis.uri", OWN.uri(), "limiter.redis.deadline", DEADLINE_MILLIS + "ms"),
                "StoreFailureResource");
    }

    /**
     * A request: when it was sent and for how long it was waited, in ns; whether the store has
     * decided.
     */
    private record Sent(String way, long at, long took, int status, boolean byStore) {}

    @Test
    void noRequestWaitsForAStoreThatHangs() throws Exception {
        load(15); // server and clients share a JVM that has to get warm
        long threads = threads();
        long connections = connections();
        long heap = heap();

        ExecutorService fault = Executors.newSingleThreadExecutor();
        long[] hung = new long[2];
        Future<?> stopped = fault.submit(() -> {
            TimeUnit.SECONDS.sleep(2);
            hung[0] = System.nanoTime();
            OWN.pause();
            TimeUnit.SECONDS.sleep(5);
            hung[1] = System.nanoTime(); // before the signal: Redis answers before resume() returns
            OWN.resume();
            return null;
        });
        List<Sent> all = load(11);
        stopped.get();
        fault.shutdown();
        List<Sent> sent = some(all, each -> !each.way().equals("free"));
        List<Sent> free = some(all, each -> each.way().equals("free"));

        long back = sent.stream()
                .filter(each -> each.byStore() && each.at() > hung[1])
                .mapToLong(each -> each.at() + each.took() - hung[1])
                .min()
                .orElseThrow();
        Predicate<Sent> isBreakerOpen = each -> each.at() > hung[0] + SETTLED && each.at() < hung[1];
        List<Sent> open = some(sent, isBreakerOpen);
        long longestFree =
                Math.min(MOST_FREE, free.stream().mapToLong(Sent::took).max().orElseThrow());
        long usualFree = percentile99(some(free, isBreakerOpen));
        System.out.printf(
                "faults: SIGSTOP for 5 s, %d clients, %d requests: longest %.1f ms, %.1f ms without a limit; p99 %.1f ms"
                        + " with the breaker open, %.1f ms without a limit; back %.0f ms after SIGCONT; threads %d -> %d, connections %d -> %d, heap %d -> %d MB%n",
                CLIENTS,
                sent.size(),
                millis(sent.stream().mapToLong(Sent::took).max().orElseThrow()),
                millis(longestFree),
                millis(percentile99(open)),
                millis(usualFree),
                millis(back),
                threads,
                threads(),
                connections,
                connections(),
                heap >> 20,
                heap() >> 20);

        // A request that waits for the store takes 150 ms longer than one without a limit.
        assertThat(sent).allMatch(each -> each.took() <= longestFree + 3 * DEADLINE);
        assertThat(percentile99(open)).isLessThan(usualFree + DEADLINE / 5);
        assertThat(back).isLessThanOrEqualTo(longestFree + TimeUnit.SECONDS.toNanos(2));
        assertThat(free).allMatch(each -> each.status() == 200);
        assertThat(some(sent, each -> !each.way().equals("closed"))).allMatch(each -> each.status() == 200);
        assertThat(some(open, each -> each.way().equals("closed"))).allMatch(each -> each.status() == 503);
        assertThat(open).noneMatch(Sent::byStore);
        await().until(() -> threads() <= threads);
        assertThat(connections()).isLessThanOrEqualTo(POOL + 1); // and the one that asks
        assertThat(heap() - heap).isLessThan(16 << 20);
    }

    /**
     * Each client sends at fixed instants, however late the responses are: a waiting client
     * would hide the delays of others.
     */
    private List<Sent> load(int seconds) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            long begin = System.nanoTime();
            List<Future<List<Sent>>> running = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int number = client;
                running.add(clients.submit(() -> load(number, begin, begin + TimeUnit.SECONDS.toNanos(seconds))));
            }
            List<Sent> all = new ArrayList<>();
            for (Future<List<Sent>> each : running) {
                all.addAll(each.get());
            }
            return all;
        } finally {
            clients.shutdownNow();
        }
    }

    private List<Sent> load(int client, long begin, long end) throws Exception {
        List<Sent> sent = new ArrayList<>();
        String way = WAYS.get(client % WAYS.size());
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + "ways/" + way + '/' + client))
                .timeout(Duration.ofSeconds(10))
                .build();
        for (long next = begin + client * PERIOD / CLIENTS; next < end; next += PERIOD) {
            TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
            long at = System.nanoTime();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            sent.add(new Sent(
                    way,
                    at,
                    System.nanoTime() - at,
                    response.statusCode(),
                    response.headers().firstValue("RateLimit").isPresent()));
        }
        return sent;
    }

    private static List<Sent> some(List<Sent> sent, Predicate<Sent> which) {
        return sent.stream().filter(which).toList();
    }

    private static long percentile99(List<Sent> sent) {
        List<Long> took =
                sent.stream().map(Sent::took).sorted(Comparator.naturalOrder()).toList();
        return took.get((int) Math.ceil(took.size() * 0.99) - 1);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /** The threads of the limiter; those of the server vary. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("limiter-"))
                .count();
    }

    private static long connections() {
        return ((String) OWN.command("INFO", "clients"))
                .lines()
                .filter(line -> line.startsWith("connected_clients:"))
                .mapToLong(line -> Long.parseLong(line.substring("connected_clients:".length())))
                .sum();
    }

    private static long heap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
