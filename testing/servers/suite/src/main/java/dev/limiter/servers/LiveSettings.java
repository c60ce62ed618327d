package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/**
 * Settings that a test changes while instances run, by their {@code SettingsResource}. Instances
 * of one server share them.
 */
final class LiveSettings {
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

    private final Set<String> changed = new ConcurrentSkipListSet<>();

    void set(URL instance, String name, String value) {
        changed.add(name);
        assertThat(to(instance).body(value).put("settings/" + name).statusCode())
                .isEqualTo(204);
    }

    void clear(URL instance, String name) {
        assertThat(to(instance).delete("settings/" + name).statusCode()).isEqualTo(204);
    }

    /** Clears all that were set. */
    void clearAll(URL instance) {
        changed.forEach(name -> clear(instance, name));
    }

    /**
     * Returns when each instance has a value.
     *
     * @param promised the longest that it may take
     * @param value reads it of an instance; it may be null
     */
    static void awaitOnEach(List<URL> instances, Duration promised, Function<URL, String> value, String expected) {
        await().atMost(promised)
                .pollInterval(BETWEEN_QUESTIONS)
                .until(() -> instances.stream().allMatch(instance -> Objects.equals(value.apply(instance), expected)));
    }
}
