package dev.limiter.jaxrs;

import dev.limiter.Decision;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * How long a rejected client is told to wait, in whole seconds: never shorter than the truth, and never 0, which would invite a
 * loop. With jitter, up to that much longer, so that those who were rejected together do not all come back together.
 */
final class RetryAfter {
    static final String NAME = "Retry-After";

    /** Without jitter. */
    static final RetryAfter EXACT = new RetryAfter(Duration.ZERO, bound -> 0);

    private final long jitterNanos;
    private final LongUnaryOperator random;

    /**
     * @param jitter the most that is added; not negative
     * @param random a number from 0, below its argument
     */
    RetryAfter(Duration jitter, LongUnaryOperator random) {
        this.jitterNanos = jitter.toNanos();
        this.random = random;
    }

    /**
     * @throws InvalidSettingException if {@code limiter.retry-after-jitter} is no duration up to an hour
     */
    static RetryAfter configured(Settings settings) {
        Duration jitter =
                settings.duration("limiter.retry-after-jitter", Duration.ZERO, Duration.ZERO, Duration.ofHours(1));
        return jitter.isZero()
                ? EXACT
                : new RetryAfter(jitter, bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    long seconds(Decision.Rejected rejected) {
        return jitterNanos == 0 ? rejected.retryAfterSeconds() : seconds(rejected.retryAfter());
    }

    long seconds(Duration retryAfter) {
        Duration wait = retryAfter.plusNanos(jitterNanos == 0 ? 0 : random.applyAsLong(jitterNanos + 1));
        return Math.max(1, wait.plusNanos(999_999_999).getSeconds());
    }
}
