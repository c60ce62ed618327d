package dev.limiter.spi;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.settings.ModuleSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Makes a {@link RateLimiter} from settings. {@link java.util.ServiceLoader} finds it. A provider
 * whose store the settings name comes before those whose counts no other instance shares.
 */
public interface RateLimiterProvider extends ModuleSettings {
    /** What decides when the store fails, for limits that do not say so. */
    Setting<OnStoreFailure> ON_STORE_FAILURE = Setting.of(
            "limiter.on-store-failure",
            "LOCAL",
            text -> PolicyMember.constant(EnumSet.complementOf(EnumSet.of(OnStoreFailure.CONFIGURED)), text.strip()));

    /** How many instances share a {@code LOCAL} limit while the store is away. */
    Setting<Integer> EXPECTED_INSTANCES = Setting.integer("limiter.expected-instances", 1, 1, 100_000);

    /**
     * {@return all settings that it reads} A setting that begins with {@code limiter.} and that no
     * module lists fails the start.
     */
    @Override
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * {@return whether the settings name a store of this provider, whose counts instances share}
     *
     * @param settings what is configured
     */
    default boolean isNamed(Settings settings) {
        return false;
    }

    /**
     * Reads what {@link #create} would read, without connecting, so that mistakes are found before
     * an application starts.
     *
     * @param settings what is configured
     * @throws InvalidSettingException if a setting cannot be used
     */
    default void check(Settings settings) {
        settings().forEach(each -> each.ifSet(settings));
    }

    /**
     * Makes the limiter for these settings.
     *
     * @param application the name under which counts are shared: limiters with the same name and
     *     the same store share them
     * @param settings what is configured
     * @param signals receives events of the store
     * @return the limiter; empty if the settings name another store
     * @throws InvalidSettingException if a setting cannot be used
     */
    Optional<RateLimiter> create(String application, Settings settings, Signals signals);
}
