package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.MeteredRateLimiter;
import dev.limiter.jaxrs.internal.signals.RejectionLog;
import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the limiter that the settings ask for. */
public final class RateLimiterFactory {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    /** The name of the application in the store; the context path if it is not set. */
    static final Setting<String> APPLICATION = Setting.text("limiter.application");

    private RateLimiterFactory() {}

    /**
     * Whether the settings of the store can be used; nothing is connected.
     *
     * @throws dev.limiter.spi.InvalidSettingException if one cannot
     */
    static void check(Settings settings) {
        Modules.stores().forEach(store -> store.check(settings));
    }

    /**
     * @param contextPath names the application if {@code limiter.application} does not
     * @param listeners receive decisions and events of the store
     * @throws IllegalStateException if no store on the class path serves these settings
     * @throws dev.limiter.spi.InvalidSettingException if a setting cannot be used
     */
    public static RateLimiter create(Settings settings, String contextPath, Listeners listeners) {
        check(settings); // without a servlet container this is the first check
        Optional<String> named = APPLICATION.ifSet(settings);
        String application = named.orElse(contextPath.isEmpty() ? "/" : contextPath);
        if (named.isEmpty() && Modules.isStoreNamed(settings)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM07 limiter.application is not set, so the application is called \"{0}\" in Redis, by its context path."
                            + " Another service at that path, even on another server, would share its counts. Set"
                            + " limiter.application to the name of the service",
                    application);
        }
        return Stream.concat(Modules.stores().filter(store -> store.isNamed(settings)), Modules.stores())
                .flatMap(store -> store.create(application, new WithBeans(settings), listeners).stream())
                .findFirst()
                .map(limiter -> new MeteredRateLimiter(limiter, listeners, new RejectionLog(System::nanoTime)))
                .orElseThrow(() -> new IllegalStateException("nothing on the class path can keep the limits of \""
                        + application + "\"; add dev.limiter:limiter-redis"));
    }

    /** The settings, and the bean that has the credentials of the store. */
    private record WithBeans(Settings settings) implements Settings {
        @Override
        public Optional<String> value(String name) {
            return settings.value(name);
        }

        @Override
        public Iterable<String> names() {
            return settings.names();
        }

        @Override
        public Optional<CredentialsSource> credentials() {
            return Platform.bean(CredentialsSource.class);
        }
    }
}
