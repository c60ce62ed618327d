package dev.limiter.example;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseFilter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAccumulator;
import org.awaitility.Awaitility;

/**
 * An instance with connections to Redis of its own, and Jersey's client, that calls a partner as
 * fast as it may.
 */
final class CallingInstance implements AutoCloseable {
    private static final int THREADS = 8;

    private final RateLimiter limiter;
    private final Client client;
    private final Queue<Long> starts = new ConcurrentLinkedQueue<>();
    private final LongAccumulator news = new LongAccumulator(Math::max, 0);
    private final ExecutorService callers = Executors.newFixedThreadPool(THREADS);
    private volatile boolean ending;

    CallingInstance(String redis, Policy policy, URI partner) {
        Map<String, String> settings = Map.of("limiter.redis.uri", redis, "limiter.redis.deadline", "20s");
        Settings configured = name -> Optional.ofNullable(settings.get(name));
        limiter = ServiceLoader.load(RateLimiterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.isNamed(configured))
                .flatMap(provider -> provider.create("partner", configured, Signals.NONE).stream())
                .findFirst()
                .orElseThrow();
        ClientRequestFilter started = call -> {
            long now = System.nanoTime();
            starts.add(now);
            call.getHeaders().putSingle(LimitedPartner.STARTED, Long.toString(now));
        };
        ClientResponseFilter heard = (call, answer) -> {
            if (answer.getStatus() == 429) {
                news.accumulate(System.nanoTime() - Long.parseLong(answer.getHeaderString(LimitedPartner.REFUSED)));
            }
        };
        client = ClientBuilder.newClient()
                .register(RateLimitClientFeature.of(policy).using(limiter))
                .register(started, Integer.MAX_VALUE) // behind everything that may hold a call
                .register(heard, 0); // behind everything that tells other instances
        for (int i = 0; i < THREADS; i++) {
            callers.execute(() -> callUntilTheEnd(partner));
        }
    }

    private void callUntilTheEnd(URI partner) {
        while (!ending) {
            try {
                client.target(partner).request().get().close();
            } catch (ProcessingException failure) {
                if (!ending && RateLimitClientFeature.rejectionIn(failure).isEmpty()) {
                    throw failure;
                }
            }
        }
    }

    /** The instants at which calls started, after all holds. */
    List<Long> startsSince(long nanos) {
        return starts.stream().filter(at -> at - nanos >= 0).toList();
    }

    /**
     * The longest time from a refusal until all instances could know it, since the last call of
     * this method, in ns.
     */
    long longestNews() {
        return news.getThenReset();
    }

    @Override
    public void close() {
        ending = true;
        callers.shutdownNow();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(callers::isTerminated);
        client.close();
        limiter.close();
    }
}
