package dev.limiter.internal.settings;

import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import java.util.List;

/**
 * Names the settings that a module reads, so that they are known and checked at the start; found
 * by {@link java.util.ServiceLoader}. A store names its own by {@link RateLimiterProvider}.
 */
@FunctionalInterface
public interface ModuleSettings {
    /** {@return the data sheet of each setting, without those of single policies} */
    List<Setting<?>> settings();
}
