package dev.limiter.spi;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.settings.ModuleSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Makes a {@link RateLimiter} from settings; found by {@link java.util.ServiceLoader}. A provider
 * whose store the settings name comes before those whose counts no other instance shares.
 */
public interface RateLimiterProvider extends ModuleSettings {
    /** What decides when the store fails, for limits that do not say. */
    Setting<OnStoreFailure> ON_STORE_FAILURE = Setting.of(
            "limiter.on-store-failure",
            "LOCAL",
            text -> PolicyMember.constant(EnumSet.complementOf(EnumSet.of(OnStoreFailure.CONFIGURED)), text.strip()));

    /** Among how many instances a limit of {@code LOCAL} is divided. */
    Setting<Integer> EXPECTED_INSTANCES = Setting.integer("limiter.expected-instances", 1, 1, 100_000);

    /**
     * {@return the data sheet of each setting that it reads} A name that begins with
     * {@code limiter.} and is named by no module fails the start.
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
     * Reads what {@link #create} would read, and connects to nothing, so that mistakes are found
     * before an application starts.
     *
     * @param settings what is configured
     * @throws InvalidSettingException if a setting cannot be used
     */
    default void check(Settings settings) {
        settings().forEach(each -> each.ifSet(settings));
    }

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
