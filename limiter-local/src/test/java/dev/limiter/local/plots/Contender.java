package dev.limiter.local.plots;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.time.Duration;
import java.util.List;

/**
 * One row of a plot.
 *
 * @param label as it stands beside the row
 * @param policy ten units in ten seconds, each in its own way
 * @param heldMillis how long a request takes; counts for {@code CONCURRENCY} only
 */
record Contender(String label, Policy policy, long heldMillis) {
    static final Duration WINDOW = Duration.ofSeconds(10);
    private static final int LIMIT = 10;

    /** Windows begin at multiples of ten seconds, so that the eye finds their boundaries. */
    static List<Contender> all() {
        return List.of(
                of("FIXED_WINDOW", policy(FIXED_WINDOW).alignedToTheClock()),
                of("SLIDING_WINDOW", policy(SLIDING_WINDOW).alignedToTheClock()),
                of("SLIDING_LOG", policy(SLIDING_LOG)),
                of("GCRA, TOKEN_BUCKET", policy(GCRA)),
                of("GCRA, burst 3", policy(GCRA).withBurst(3)),
                of("TOKEN_BUCKET, INTERVAL", policy(TOKEN_BUCKET).withRefill(Refill.INTERVAL)),
                of("UNIFORM", policy(UNIFORM)),
                of("LEAKY_BUCKET, held up to 3 s", Policy.leakyBucket("p", LIMIT, WINDOW, Duration.ofSeconds(3))),
                new Contender("CONCURRENCY 2, each takes 2 s", Policy.concurrency("p", 2), 2_000));
    }

    private static Policy policy(Algorithm algorithm) {
        return Policy.of("p", algorithm, LIMIT, WINDOW);
    }

    private static Contender of(String label, Policy policy) {
        return new Contender(label, policy, 0);
    }
}
