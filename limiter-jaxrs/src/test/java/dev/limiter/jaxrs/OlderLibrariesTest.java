package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.bootstrap.MetersScenario;
import dev.limiter.jaxrs.internal.cdi.HealthScenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Optional libraries of older versions than the one that the build has: each test loads the
 * limiter anew beside one.
 */
class OlderLibrariesTest {
    private static final Path OLDER = Path.of("target", "older-libraries");

    private final LogLines log = new LogLines("dev.limiter.plan");

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void theOldestMicrometerThatIsSupportedMeasuresEverything() throws Exception {
        assertThat(told("micrometer-core-1.9.0.jar", MetersScenario.class))
                .contains("limiter.decisions", "limiter.decision", "limiter.breaker.open", "limiter.delay");
        assertThat(log.taken()).isEmpty();
    }

    @Test
    void aMicrometerThatIsTooOldMeasuresNothingAndFailsNoDecision() throws Exception {
        assertThat(told("micrometer-core-1.2.2.jar", MetersScenario.class)).isEmpty();
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING Micrometer is on the class path in a version that the limiter cannot use: "
                        + "java.lang.NoSuchMethodError")
                .endsWith("Without Micrometer 1.9 or newer, nothing is measured");
    }

    @Test
    void aHealthThatIsTooOldHasNoCheckAndFailsNoDeployment() throws Exception {
        assertThat(told("microprofile-health-api-3.1.jar", HealthScenario.class))
                .isEmpty();
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith(
                        "WARNING MicroProfile Health is on the class path in a version that the limiter cannot use: ")
                .endsWith("Without MicroProfile Health 4.0 or newer, there is no health check of the limiter");
    }

    @Test
    void withTheVersionsOfTheBuildNothingIsMissing() throws Exception {
        assertThat(new MetersScenario().call()).contains("limiter.decisions", "limiter.breaker.open");
        assertThat(new HealthScenario().call()).hasSize(1);
        assertThat(log.taken()).isEmpty();
    }

    /** The result of a scenario that is loaded with this library instead of the build's. */
    private static List<String> told(String library, Class<? extends Callable<List<String>>> scenario)
            throws Exception {
        try (Beside loader = new Beside(OLDER.resolve(library))) {
            Object there = loader.loadClass(scenario.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            @SuppressWarnings("unchecked") // a scenario is one
            Callable<List<String>> callable = (Callable<List<String>>) there;
            return callable.call();
        }
    }

    /**
     * Defines the limiter's classes and those of the library itself, and asks its parent for all
     * others.
     */
    private static final class Beside extends URLClassLoader {
        Beside(Path library) {
            super(
                    new URL[] {
                        url(library),
                        url(OLDER.resolve("LatencyUtils-2.0.3.jar")),
                        url(Path.of("target", "classes")),
                        url(Path.of("target", "test-classes"))
                    },
                    OlderLibrariesTest.class.getClassLoader());
        }

        private static URL url(Path path) {
            try {
                return path.toRealPath().toUri().toURL();
            } catch (MalformedURLException impossible) {
                throw new IllegalStateException(impossible);
            } catch (IOException absent) {
                throw new UncheckedIOException(absent);
            }
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

        private boolean isHere(String name) {
            return name.startsWith("dev.limiter.jaxrs.")
                    || (name.startsWith("io.micrometer.core.") || name.startsWith("org.eclipse.microprofile.health."))
                            && findResource(name.replace('.', '/') + ".class") != null;
        }
    }
}
