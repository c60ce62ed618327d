package dev.limiter.testkit;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The product and the version of a running server, from its {@code INFO server}.
 *
 * @param product {@code redis}, or a descendant of Redis such as {@code valkey}
 * @param version of that product, such as {@code 9.1.2}
 * @param line all version fields of the reply, such as {@code redis_version:7.2.4
 *     valkey_version:9.1.2}
 */
public record ServerVersion(String product, String version, String line) {
    private static final Pattern FIELD = Pattern.compile("(?m)^([a-z]+)_version:(\\S+)");
    private static final Pattern SHORT = Pattern.compile("\\d+\\.\\d+");
    private static final String REDIS = "redis";

    /**
     * Asks a server. A descendant of Redis also reports the version of Redis that it is compatible
     * with.
     */
    public static ServerVersion of(RedisServer server) {
        Map<String, String> versions = new TreeMap<>();
        Matcher fields = FIELD.matcher((String) server.command("INFO", "server"));
        while (fields.find()) {
            if (!fields.group(1).equals("gcc")) {
                versions.put(fields.group(1), fields.group(2));
            }
        }
        StringBuilder line = new StringBuilder();
        versions.forEach((name, version) -> line.append(line.isEmpty() ? "" : " ")
                .append(name)
                .append("_version:")
                .append(version));
        String product = versions.keySet().stream()
                .filter(name -> !name.equals(REDIS))
                .findFirst()
                .orElse(REDIS);
        return new ServerVersion(product, versions.get(product), line.toString());
    }

    /**
     * The name of the store that the tests are to run on, such as {@code valkey-9.1}; empty if no
     * name was given.
     */
    public static Optional<String> expectedStore() {
        return Optional.ofNullable(System.getProperty("testkit.store"))
                .filter(name -> !name.isEmpty())
                .or(() -> System.getProperty("testkit.redis-server", "").isEmpty()
                        ? Optional.of("redis-7.0")
                        : Optional.empty());
    }

    /** The product with the first two numbers of its version, such as {@code valkey-9.1}. */
    public String store() {
        Matcher numbers = SHORT.matcher(version);
        return product + "-" + (numbers.lookingAt() ? numbers.group() : version);
    }
}
