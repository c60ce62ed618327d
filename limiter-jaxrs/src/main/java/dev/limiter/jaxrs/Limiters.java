package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import java.util.ServiceLoader;

/** Makes the limiter that the settings ask for. */
final class Limiters {
    private Limiters() {}

    /**
     * @param contextPath names the application where {@code limiter.application} does not
     * @param listeners are told what it decides, and how its store fares
     * @throws IllegalStateException if no store on the class path feels addressed
     * @throws dev.limiter.spi.InvalidSettingException if a setting cannot be used
     */
    static RateLimiter create(Settings settings, String contextPath, Listeners listeners) {
        String application = settings.value("limiter.application").orElse(contextPath.isEmpty() ? "/" : contextPath);
        return ServiceLoader.load(RateLimiterProvider.class, Limiters.class.getClassLoader()).stream()
                .flatMap(provider -> provider.get().create(application, settings, listeners).stream())
                .findFirst()
                .map(limiter -> new MeasuredLimiter(limiter, listeners, new RejectionLog(System::nanoTime)))
                .orElseThrow(() -> new IllegalStateException("nothing on the class path can keep the limits of \""
                        + application + "\"; add dev.limiter:limiter-redis (limiter.redis.uri is "
                        + settings.value("limiter.redis.uri").map(uri -> "set").orElse("not set") + ")"));
    }
}
