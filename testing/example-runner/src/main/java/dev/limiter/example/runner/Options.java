package dev.limiter.example.runner;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * The options of the example.
 *
 * @param port 1 to 65535, or 0 for any free one; 8080 by default
 * @param redisUri the Redis to use; empty to start one
 * @param war the application
 */
record Options(int port, Optional<String> redisUri, Path war) {

    static final String PORT = "port";
    static final String REDIS_URI = "limiter.redis.uri";

    /**
     * @param arguments the path of the application
     * @throws CannotStartException naming the value and the rule it breaks
     */
    static Options read(String[] arguments, Properties properties) {
        if (arguments.length != 1) {
            throw new CannotStartException("expected one argument, the path of the WAR, got " + arguments.length);
        }
        Path war = Path.of(arguments[0]).toAbsolutePath().normalize();
        if (!Files.isRegularFile(war)) {
            throw new CannotStartException("no application at " + war);
        }
        Optional<String> redisUri = set(properties, REDIS_URI);
        return new Options(set(properties, PORT).map(Options::port).orElse(8080), redisUri, war);
    }

    private static Optional<String> set(Properties properties, String name) {
        return Optional.ofNullable(properties.getProperty(name))
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException unreadable) {
            // told below, with the range
        }
        throw new CannotStartException("port must be a whole number from 0 to 65535, was \"" + text + "\"");
    }
}
