package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The start beside other versions of Jedis: each test loads the limiter anew. */
class JedisVersionTest {
    private static final List<URL> CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> url(Path.of(entry)))
            .toList();
    private static final URL RIGHT = CLASS_PATH.stream()
            .filter(url -> url.getPath().matches(".*/jedis-[0-9.]+\\.jar"))
            .findFirst()
            .orElseThrow();

    @ParameterizedTest
    @ValueSource(strings = {"3.10.0", "6.0.0", "7.0.0"})
    void anOlderJedisIsRefusedAtTheStartWithItsVersion(String version) throws Exception {
        assertThat(start(older(version)))
                .startsWith(
                        "limiter.redis.uri: needs Jedis 8.0 or newer, and no older Jedis beside it. The class path has "
                                + version + " in jar:file:/")
                .contains("jedis-" + version + ".jar")
                .endsWith("Declare redis.clients:jedis with version 8.0.2 in the build of the application (with Spring"
                        + " Boot: the property jedis.version), and remove any other");
    }

    /** A server does not promise an order of JARs. */
    @ParameterizedTest
    @ValueSource(strings = {"3.10.0", "7.0.0"})
    void anOlderOneBesideTheRightOneIsRefusedInEitherOrder(String version) throws Exception {
        assertThat(start(RIGHT, older(version)))
                .contains(version + " in ", "8.0.2 in ")
                .isEqualTo(start(older(version), RIGHT));
    }

    @Test
    void withoutJedisTheStartSaysSo() throws Exception {
        assertThat(start()).contains("The class path has none. Declare redis.clients:jedis");
    }

    @Test
    void theRightOneStarts() throws Exception {
        assertThat(start(RIGHT)).isEqualTo("started");
    }

    /** Tomcat's session manager may have a Jedis of its own in Tomcat's {@code lib/}. */
    @Test
    void anOlderOneOfTheServerBehindTheRightOneDoesNotMatter() throws Exception {
        try (URLClassLoader server =
                new URLClassLoader(new URL[] {older("3.10.0")}, ClassLoader.getPlatformClassLoader())) {
            assertThat(start(new FirstOwn(server, RIGHT))).isEqualTo("started");
        }
    }

    private static String start(URL... jedis) throws Exception {
        return start(new FirstOwn(ClassLoader.getPlatformClassLoader(), jedis));
    }

    private static String start(FirstOwn loader) throws Exception {
        try (loader) {
            Object there = loader.loadClass(JedisScenario.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            return ((Callable<?>) there).call().toString();
        }
    }

    private static URL older(String version) {
        return url(Path.of("target", "older-jedis", "jedis-" + version + ".jar"));
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The class path with this Jedis; asks its parent last, as Tomcat does. */
    private static final class FirstOwn extends URLClassLoader {
        FirstOwn(ClassLoader parent, URL... jedis) {
            super(urls(jedis), parent);
        }

        private static URL[] urls(URL... jedis) {
            List<URL> urls = new ArrayList<>(Arrays.asList(jedis));
            CLASS_PATH.stream().filter(url -> !url.equals(RIGHT)).forEach(urls::add);
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                boolean here = findResource(name.replace('.', '/') + ".class") != null;
                return loaded != null ? loaded : here ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }
}
