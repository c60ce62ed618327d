package dev.limiter.jaxrs.internal.response;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * The wait that a rejected client is told, in whole seconds: never shorter than the exact wait,
 * and never 0, which would invite a loop. With jitter it is longer by a random time up to the
 * jitter, so that clients that were rejected together do not all come back together.
 *
 * @param jitterNanos the most that is added; not negative
 * @param random a number from 0, below its argument
 */
public record RetryAfterHeader(long jitterNanos, LongUnaryOperator random) {
    public static final String NAME = "Retry-After";

    /** The most that is added to the wait. */
    public static final Setting<Duration> JITTER = Setting.duration("limiter.retry-after-jitter", "0s", "0s", "1h");

    /** Without jitter. */
    public static final RetryAfterHeader EXACT = new RetryAfterHeader(0, bound -> 0);

    /**
     * @throws InvalidSettingException if {@code limiter.retry-after-jitter} is no duration up to
     *     an hour
     */
    public static RetryAfterHeader configured(Settings settings) {
        long jitter = JITTER.in(settings).toNanos();
        return jitter == 0
                ? EXACT
                : new RetryAfterHeader(
                        jitter, bound -> ThreadLocalRandom.current().nextLong(bound));
    }

    public long seconds(Decision.Rejected rejected) {
        return jitterNanos == 0 ? rejected.retryAfterSeconds() : seconds(rejected.retryAfter());
    }

    public long seconds(Duration retryAfter) {
        Duration wait = retryAfter.plusNanos(jitterNanos == 0 ? 0 : random.applyAsLong(jitterNanos + 1));
        return NotAdmittedException.wholeSeconds(wait);
    }
}
