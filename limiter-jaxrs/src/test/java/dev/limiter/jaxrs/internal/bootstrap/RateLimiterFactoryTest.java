package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store of an application's own, behind the others in the order of the class path. */
class RateLimiterFactoryTest {
    @TempDir
    private Path application;

    /** Keeps limits whenever it is asked to. */
    public static final class OwnStore implements RateLimiterProvider {
        /** For {@link java.util.ServiceLoader}. */
        public OwnStore() {}

        @Override
        public boolean isNamed(Settings settings) {
            return settings.value("own.store").isPresent();
        }

        @Override
        public Optional<RateLimiter> create(String application, Settings settings, Signals signals) {
            return Optional.of(new OwnRateLimiter());
        }
    }

    private static final class OwnRateLimiter extends BlockingAcquire {
        OwnRateLimiter() {
            super(new LocalRateLimiter());
        }
    }

    @Test
    void theStoreThatTheSettingsNameGoesFirst() throws Exception {
        assertThat(own(new MapSettings().with("own.store", "here"))).isPresent();
        assertThat(own(new MapSettings())).isEmpty();
    }

    /** The limiter of the own store, if a factory within the application takes that one. */
    private Optional<OwnRateLimiter> own(MapSettings settings) throws Exception {
        Path services = Files.createDirectories(application.resolve("META-INF/services"));
        Files.writeString(services.resolve(RateLimiterProvider.class.getName()), OwnStore.class.getName());
        try (Inside loader = new Inside(application)) {
            Method create = loader.loadClass(RateLimiterFactory.class.getName())
                    .getDeclaredMethod("create", Settings.class, String.class, Listeners.class);
            create.setAccessible(true);
            RateLimiter limiter = (RateLimiter) create.invoke(null, settings, "/own", Listeners.withoutBeans());
            return limiter.unwrap(OwnRateLimiter.class);
        }
    }

    /** Defines the factory and what finds the stores, and asks its parent for all others. */
    private static final class Inside extends URLClassLoader {
        Inside(Path application) throws Exception {
            super(
                    new URL[] {
                        RateLimiterFactory.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation(),
                        application.toUri().toURL()
                    },
                    RateLimiterFactoryTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return isHere(name) ? findClass(name) : super.loadClass(name, resolve);
            }
        }

        private static boolean isHere(String name) {
            String outermost = name.replaceAll("\\$.*", "");
            return outermost.equals(RateLimiterFactory.class.getName()) || outermost.equals(Modules.class.getName());
        }
    }
}
