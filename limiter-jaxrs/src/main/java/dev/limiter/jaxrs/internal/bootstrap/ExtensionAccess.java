package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.spi.Settings;
import java.util.Optional;

/** What an extension may ask of the application in which it runs. */
public final class ExtensionAccess {
    private ExtensionAccess() {}

    /** The settings of the application. */
    public static Settings settings() {
        return MicroProfileSettings.ofApplication(RestProperties.NONE);
    }

    /**
     * Refuses settings that belong to no policy and cannot be used.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    public static void check(Settings settings) {
        SettingsCheck.check(settings);
    }

    /** Whether the settings name a store, so that instances share their counts. */
    public static boolean isStoreNamed(Settings settings) {
        return Modules.isStoreNamed(settings);
    }

    /** The bean of the application; empty without CDI. */
    public static Optional<RateLimiter> limiter() {
        return Platform.bean(RateLimiter.class);
    }
}
