package dev.limiter.redis.internal.topology;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import redis.clients.jedis.DefaultJedisClientConfig;

/**
 * The Jedis on the class path. The application's build may choose an older one than the limiter
 * declares, as Spring Boot does. Without this check requests would fail, and not the start.
 */
public final class JedisVersion {
    private static final int OLDEST = 8;
    private static final String CLASS = "redis/clients/jedis/Connection.class";
    private static final String VERSION = "META-INF/maven/redis.clients/jedis/pom.properties";

    private JedisVersion() {}

    /**
     * @throws IllegalArgumentException if Jedis is missing or too old, or if an older Jedis stands
     *     beside the right one, so that the order of the JARs decides
     */
    public static void check() {
        try {
            ClassLoader loader = JedisVersion.class.getClassLoader();
            Map<String, String> jars = jars(loader);
            if (!isUsable() || hasOlder(jars, loader.getParent())) {
                throw new IllegalArgumentException(
                        "needs Jedis " + OLDEST + ".0 or newer, and no older Jedis beside it. The class path has "
                                + described(jars) + ". Declare redis.clients:jedis with version " + OLDEST
                                + ".0.2 in the build of the application (with Spring Boot: the property"
                                + " jedis.version), and remove any other");
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("needs Jedis, which cannot be read: " + unreadable);
        }
    }

    /** The version of each JAR that has Jedis, by the JAR's address; empty if it does not say. */
    private static Map<String, String> jars(ClassLoader loader) throws IOException {
        Map<String, String> jars = new TreeMap<>();
        for (String jar : holders(loader, CLASS)) {
            jars.put(jar, "");
        }
        for (URL file : Collections.list(loader.getResources(VERSION))) {
            Properties properties = new Properties();
            try (InputStream content = file.openStream()) {
                properties.load(content);
            }
            jars.computeIfPresent(holder(file, VERSION), (jar, none) -> properties.getProperty("version", ""));
        }
        return jars;
    }

    private static List<String> holders(ClassLoader loader, String entry) throws IOException {
        return Collections.list(loader.getResources(entry)).stream()
                .map(url -> holder(url, entry))
                .toList();
    }

    private static String holder(URL url, String entry) {
        String text = url.toString();
        return text.substring(0, text.length() - entry.length());
    }

    /** Whether the classes that are found have what came last of all that the limiter calls. */
    private static boolean isUsable() {
        try {
            DefaultJedisClientConfig.builder().serverDefaultProtocol();
            return true;
        } catch (LinkageError lacking) {
            return false;
        }
    }

    /** Whether an older Jedis is beside another. One of the server itself stands behind it. */
    private static boolean hasOlder(Map<String, String> jars, ClassLoader ofServer) throws IOException {
        List<String> behind = ofServer == null ? List.of() : holders(ofServer, CLASS);
        return jars.entrySet().stream().anyMatch(jar -> !behind.contains(jar.getKey()) && isOlder(jar.getValue()));
    }

    private static boolean isOlder(String version) {
        return version.matches("\\d{1,4}\\..*") && Integer.parseInt(version.split("\\.")[0]) < OLDEST;
    }

    private static String described(Map<String, String> jars) {
        return jars.isEmpty()
                ? "none"
                : jars.entrySet().stream()
                        .map(jar -> (jar.getValue().isEmpty() ? "an unknown version" : jar.getValue()) + " in "
                                + jar.getKey())
                        .collect(Collectors.joining(" and "));
    }
}
