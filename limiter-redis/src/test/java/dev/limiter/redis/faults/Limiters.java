package dev.limiter.redis.faults;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/** Limiters as an application gets them, and limits that can be counted exactly. */
final class Limiters {

    /** A limit that no test reaches. */
    static final long ROOMY = 1_000_000_000;

    /**
     * For what is about counts and not about time: no decision fails because the machine is
     * slow.
     */
    static final String[] PATIENT = {"limiter.redis.deadline", "10s"};

    private static final Duration LONGEST_WINDOW = Duration.ofDays(366);

    private Limiters() {}

    /**
     * A limiter that throws when its store gives no decision.
     *
     * @param more settings, names and values by turns
     */
    static RateLimiter closed(String uri, Signals signals, String... more) {
        return open("CLOSED", uri, signals, more);
    }

    /**
     * A limiter that decides itself when its store gives no decision; the rest as in
     * {@link #closed}.
     */
    static RateLimiter local(String uri, Signals signals, String... more) {
        return open("LOCAL", uri, signals, more);
    }

    /** As {@link #closed}, with credentials that change. */
    static RateLimiter closed(CredentialsSource credentials, String uri, Signals signals, String... more) {
        Map<String, String> settings = settings("CLOSED", uri, more);
        Settings withSource = new Settings() {
            @Override
            public Optional<String> value(String name) {
                return Optional.ofNullable(settings.get(name));
            }

            @Override
            public Optional<CredentialsSource> credentials() {
                return Optional.of(credentials);
            }
        };
        return new RedisRateLimiterProvider()
                .create("faults", withSource, signals)
                .orElseThrow();
    }

    private static RateLimiter open(String onStoreFailure, String uri, Signals signals, String... more) {
        Map<String, String> settings = settings(onStoreFailure, uri, more);
        return new RedisRateLimiterProvider()
                .create("faults", name -> Optional.ofNullable(settings.get(name)), signals)
                .orElseThrow();
    }

    private static Map<String, String> settings(String onStoreFailure, String uri, String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("limiter.redis.uri", uri);
        settings.put("limiter.on-store-failure", onStoreFailure);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    /**
     * A counter whose window does not end while a test runs. Not each partition has its own: of
     * a hundred thousand the window of some ends in any minute, however long windows are.
     */
    static Policy counter(String name, long limit) {
        return Policy.of(name, Algorithm.FIXED_WINDOW, limit, LONGEST_WINDOW).alignedToTheClock();
    }

    static PartitionKey key(Object value) {
        return PartitionKey.of("key", String.valueOf(value));
    }

    /**
     * {@code admitted} or {@code rejected}, by the {@code store} or the {@code fallback}; or
     * {@code unavailable}.
     */
    static String outcome(RateLimiter limiter, Policy policy, PartitionKey key) {
        try {
            Decision decision = limiter.acquire(policy, key);
            return (decision.admitted() ? "admitted" : "rejected") + " by the "
                    + (decision.fallback() ? "fallback" : "store");
        } catch (StoreUnavailableException unavailable) {
            return "unavailable";
        }
    }

    /** Asks until the store admits. */
    static void awaitStore(RateLimiter limiter, Policy policy, PartitionKey key) {
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .until(() -> outcome(limiter, policy, key).equals("admitted by the store"));
    }

    /** Units that the store has counted. */
    static long used(RateLimiter limiter, Policy policy, PartitionKey key) {
        CheckResult result = limiter.peek(policy, key);
        if (result.fallback()) {
            throw new IllegalStateException("the store does not say");
        }
        return policy.limit() - result.remaining();
    }
}
