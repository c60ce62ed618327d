package dev.limiter.servers;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The units that an application's requests were charged, whatever their responses say. The tests
 * ask Redis as a further instance of the application, and write nothing.
 *
 * <pre>{@code
 * Charged charged = new Charged("desk"); // the limiter.application of the WAR
 * charged.units(POLICY, Charged.all()); // 3
 * }</pre>
 *
 * <p>The policy must be the one that the annotation declares: by name, algorithm and window it
 * finds the state, and with the limit it counts what is missing.
 */
final class Charged {
    private final RateLimiter limiter;

    Charged(String application) {
        Map<String, String> settings = new HashMap<>(SharedRedis.settings());
        settings.put("limiter.on-store-failure", "CLOSED");
        limiter = new RedisRateLimiterProvider()
                .create(application, name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }

    /** The partition of a key expression {@code "'all'"}. */
    static PartitionKey all() {
        return PartitionKey.of("literal", "all");
    }

    /** Units that are spent at this instant, without those that came back by time. */
    long units(Policy policy, PartitionKey key) {
        return policy.capacity() - limiter.peek(policy, key).remaining();
    }

    /** Units that {@code "'all'"} has spent. */
    long units(Policy policy) {
        return units(policy, all());
    }

    /** Leases in flight that count {@code "'all'"}. */
    long leases(Policy policy) {
        if (policy.algorithm() != Algorithm.CONCURRENCY) {
            throw new IllegalArgumentException(
                    "only CONCURRENCY has leases, " + policy.name() + " is " + policy.algorithm());
        }
        return units(policy);
    }
}
