package dev.limiter.spi;

import dev.limiter.RateLimiter;
import java.util.Optional;

/**
 * Makes a {@link RateLimiter} from settings; found by {@link java.util.ServiceLoader}. For given
 * settings exactly one provider on the class path returns a limiter, so providers need no order.
 */
public interface RateLimiterProvider {

    /**
     * Reads what {@link #create} would read, and connects to nothing, so that mistakes are found
     * before an application starts. A name that begins with {@code limiter.} and is none of the
     * library's fails the start, so settings of another provider have other names.
     *
     * @param settings what is configured
     * @throws InvalidSettingException if a setting cannot be used
     */
    default void check(Settings settings) {}

    /**
     * The limiter for these settings, or empty if they name another store.
     *
     * @param application the name under which counts are shared: limiters of one name and one
     *     store share them
     * @param settings what is configured
     * @param signals receives events of the store
     * @return the limiter, or nothing
     * @throws InvalidSettingException if a setting cannot be used
     */
    Optional<RateLimiter> create(String application, Settings settings, Signals signals);
}
