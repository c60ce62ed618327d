package dev.limiter.redis;

import static dev.limiter.Algorithm.FIXED_WINDOW;

import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.FaultProxy;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * All checks of failures of the store, short and in one call, so that they can run on a mutant.
 */
public final class FailureProofSuite {
    private static final Policy ROOMY =
            Policy.of("roomy", FIXED_WINDOW, 1_000, Duration.ofHours(1)).whenStoreFails(OnStoreFailure.OPEN);
    private static final Policy ONCE = Policy.of("once", FIXED_WINDOW, 1, Duration.ofHours(1));
    private static final int REQUESTS = 3; // fewer than open the breaker

    private FailureProofSuite() {}

    /**
     * The first failure; empty if there is none.
     *
     * @param percent of random cases, of which there are none here
     */
    public static Optional<String> failure(String uri, int percent) throws Exception {
        try (FaultProxy proxy = FaultProxy.to("127.0.0.1", URI.create(uri).getPort());
                RateLimiter behind = limiter(proxy.uri());
                RateLimiter beside = limiter(uri)) {
            return twice(proxy, behind, beside).or(() -> asked(behind, beside));
        }
    }

    /** A request whose answer is lost has been executed; it must not be executed again. */
    private static Optional<String> twice(FaultProxy proxy, RateLimiter behind, RateLimiter beside) {
        behind.acquire(ROOMY, id(REQUESTS)); // the script is known from here on
        proxy.silenceReplies("EVALSHA");
        for (int request = 0; request < REQUESTS; request++) {
            behind.acquire(ROOMY, id(request));
        }
        proxy.pass();
        for (int request = 0; request < REQUESTS; request++) {
            long used = 1_000 - beside.peek(ROOMY, id(request)).remaining();
            if (used != 1) {
                return Optional.of("a request without an answer was executed " + used + " times");
            }
        }
        return Optional.empty();
    }

    /** The other instance has used the limit up; the mirror of this one does not know of it. */
    private static Optional<String> asked(RateLimiter behind, RateLimiter beside) {
        beside.acquire(ONCE, id(0));
        Decision second = behind.acquire(ONCE, id(0));
        return second.admitted() || second.fallback()
                ? Optional.of("a limit that was reached was answered for by the fallback")
                : Optional.empty();
    }

    private static PartitionKey id(int request) {
        return PartitionKey.of("request", Integer.toString(request));
    }

    private static RateLimiter limiter(String uri) {
        Map<String, String> settings = Map.of("limiter.redis.uri", uri);
        return new RedisRateLimiterProvider()
                .create("failures", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }
}
