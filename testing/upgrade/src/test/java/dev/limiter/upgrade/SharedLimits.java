package dev.limiter.upgrade;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import java.time.Duration;
import java.util.List;

/** The limits that instances of both builds share. */
final class SharedLimits {
    static final int KEYS = 3;

    /** More is asked than is admitted. */
    static final List<Policy> LOADED = List.of(
            Policy.of("fixed-window", Algorithm.FIXED_WINDOW, 5, Duration.ofMillis(250)),
            Policy.of("sliding-window", Algorithm.SLIDING_WINDOW, 5, Duration.ofMillis(250)),
            Policy.of("sliding-log", Algorithm.SLIDING_LOG, 5, Duration.ofMillis(250)),
            Policy.of("sliding-log-large", Algorithm.SLIDING_LOG, 300, Duration.ofSeconds(2)),
            Policy.of("token-bucket", Algorithm.TOKEN_BUCKET, 5, Duration.ofMillis(250))
                    .withBurst(10),
            Policy.of("token-bucket-interval", Algorithm.TOKEN_BUCKET, 5, Duration.ofMillis(250))
                    .withBurst(8)
                    .withRefill(Refill.INTERVAL),
            Policy.of("gcra", Algorithm.GCRA, 20, Duration.ofSeconds(1)).withBurst(7),
            Policy.of("gcra-parts", Algorithm.GCRA, 19, Duration.ofSeconds(1)).withBurst(7),
            Policy.of("gcra-varying", Algorithm.GCRA, 19, Duration.ofSeconds(1))
                    .withBurst(7)
                    .withVaryingLimit(),
            Policy.of("uniform", Algorithm.UNIFORM, 20, Duration.ofSeconds(1)),
            Policy.leakyBucket("leaky-bucket", 20, Duration.ofSeconds(1), Duration.ofMillis(150)),
            Policy.of("month", 2_500, CalendarPeriod.parse("1 month Europe/Paris from 15")),
            Policy.of("month-movable", 2_500, CalendarPeriod.parse("1 month").movable()),
            Policy.of("month-soft", 500, CalendarPeriod.parse("1 month")).asSoft());

    /** Three requests spend each of them, for longer than a test lasts. */
    static final List<Policy> SPENT = List.of(
            Policy.of("fixed-window", Algorithm.FIXED_WINDOW, 3, Duration.ofDays(30))
                    .alignedToTheClock(),
            Policy.of("year", 3, CalendarPeriod.parse("1 year")),
            Policy.of("sliding-window", Algorithm.SLIDING_WINDOW, 3, Duration.ofDays(30)),
            Policy.of("sliding-log", Algorithm.SLIDING_LOG, 3, Duration.ofHours(1)),
            Policy.of("token-bucket", Algorithm.TOKEN_BUCKET, 3, Duration.ofHours(1)),
            Policy.of("token-bucket-interval", Algorithm.TOKEN_BUCKET, 3, Duration.ofHours(1))
                    .withRefill(Refill.INTERVAL),
            Policy.of("gcra", Algorithm.GCRA, 3, Duration.ofHours(1)),
            Policy.of("gcra-varying", Algorithm.GCRA, 7, Duration.ofHours(1))
                    .withBurst(3)
                    .withVaryingLimit(),
            Policy.leakyBucket("leaky-bucket", 1, Duration.ofHours(1), Duration.ofHours(2)));

    /** Its leases are given back soon, but for some, which expire. */
    static final Policy LEASES = Policy.of("leases", Algorithm.CONCURRENCY, 3, Duration.ofMillis(400));

    /** A partner that asks for pauses. */
    static final Policy PARTNER = Policy.of("partner", Algorithm.SLIDING_LOG, 1_000, Duration.ofSeconds(1))
            .withDelayVariation(Duration.ofMillis(50));

    private SharedLimits() {}

    static PartitionKey key(int number) {
        return PartitionKey.of("key", Integer.toString(number));
    }
}
