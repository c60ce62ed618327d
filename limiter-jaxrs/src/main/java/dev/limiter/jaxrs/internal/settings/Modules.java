package dev.limiter.jaxrs.internal.settings;

import dev.limiter.internal.settings.ModuleSettings;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The modules of the limiter on the class path: stores, and what reads settings. */
public final class Modules {
    private static final Lazy<Map<String, Setting<?>>> SETTINGS = new Lazy<>(Modules::findSettings);
    private static final boolean OPERATED = Platform.isPresent("dev.limiter.operations.LimitChange");

    private Modules() {}

    /** All settings that belong to no policy, by name. */
    public static Map<String, Setting<?>> settings() {
        return SETTINGS.get();
    }

    /** What can make a limiter. */
    public static Stream<RateLimiterProvider> stores() {
        return found(RateLimiterProvider.class);
    }

    /** Whether the settings name a store, so that instances share their counts. */
    public static boolean isStoreNamed(Settings settings) {
        return stores().anyMatch(store -> store.isNamed(settings));
    }

    /** Whether the module for operators is there. */
    public static boolean isOperated() {
        return OPERATED;
    }

    private static Map<String, Setting<?>> findSettings() {
        Map<String, Setting<?>> all = new TreeMap<>();
        Stream.concat(found(ModuleSettings.class), stores())
                .forEach(module -> module.settings().forEach(each -> all.put(each.name(), each)));
        return all;
    }

    private static <T> Stream<T> found(Class<T> kind) {
        return ServiceLoader.load(kind, Modules.class.getClassLoader()).stream().map(ServiceLoader.Provider::get);
    }
}
