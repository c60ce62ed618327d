package dev.limiter.redis.faults;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Limiters as an application gets them, and what one of them does with one unit. */
final class Asked {
    private Asked() {}

    /**
     * @param more further settings: name, value, name, value
     */
    static RateLimiter limiter(String uri, Signals signals, String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("limiter.redis.uri", uri);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return new RedisRateLimiterProvider()
                .create("faults", name -> Optional.ofNullable(settings.get(name)), signals)
                .orElseThrow();
    }

    static PartitionKey user(Object name) {
        return PartitionKey.of("user", String.valueOf(name));
    }

    /** {@code admitted} or {@code rejected}, by the {@code store} or the {@code fallback}; or {@code unavailable}. */
    static String outcome(RateLimiter limiter, Policy policy, PartitionKey key) {
        try {
            var decision = limiter.acquire(policy, key);
            return (decision.admitted() ? "admitted" : "rejected") + " by the "
                    + (decision.fallback() ? "fallback" : "store");
        } catch (dev.limiter.StoreUnavailableException unavailable) {
            return "unavailable";
        }
    }
}
