package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.jaxrs.internal.bootstrap.HealthScenario;
import dev.limiter.jaxrs.internal.bootstrap.MetersScenario;
import dev.limiter.jaxrs.internal.bootstrap.StartScenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Optional libraries of older versions than the one that the build has, and the limiter itself:
 * each test loads the limiter anew beside one.
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
                .contains("limiter.decisions", "limiter.decision", "limiter.breaker.open", "limiter.slot.wait");
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

    /** As a build without {@code clean} leaves them in a WAR. */
    @Test
    void twoLimitersBesideEachOtherAreRefusedAtTheStart(@TempDir Path lib) throws Exception {
        Path one = jar(lib.resolve("limiter-jaxrs-0.1.0.jar"));
        Path other = jar(lib.resolve("limiter-jaxrs-0.2.0.jar"));
        assertThat(told(StartScenario.class, one)).isEmpty();
        assertThat(told(StartScenario.class, other, one))
                .containsExactly("The limiter is on the class path twice: jar:"
                        + one.toUri().toURL() + "!/ and jar:"
                        + other.toUri().toURL()
                        + "!/; remove one, as by a clean build, since the server would mix their"
                        + " classes");
        assertThat(log.taken()).hasSize(1);
    }

    private static Path jar(Path file) throws IOException {
        String name = RateLimits.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new ZipEntry(name));
            Files.copy(Path.of("target", "classes").resolve(name), jar);
        }
        return file;
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
        return told(scenario, OLDER.resolve(library));
    }

    private static List<String> told(Class<? extends Callable<List<String>>> scenario, Path... libraries)
            throws Exception {
        try (Beside loader = new Beside(libraries)) {
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
        Beside(Path... libraries) {
            super(
                    Stream.concat(
                                    Stream.of(libraries),
                                    Stream.of(
                                            OLDER.resolve("LatencyUtils-2.0.3.jar"),
                                            Path.of("target", "classes"),
                                            Path.of("target", "test-classes")))
                            .map(Beside::url)
                            .toArray(URL[]::new),
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
