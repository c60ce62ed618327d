package dev.limiter.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Configuration by name, such as {@code limiter.redis.uri}, from any source. */
@FunctionalInterface
public interface Settings {

    /**
     * {@return the value of a setting; empty if it is not set or blank}
     *
     * @param name of the setting, such as {@code limiter.redis.uri}
     */
    Optional<String> value(String name);

    /**
     * {@return the names of all settings that its sources can list; the environment has other
     * spellings of names}
     */
    default Iterable<String> names() {
        return List.of();
    }

    /**
     * A setting that is {@code true} or {@code false}.
     *
     * @param name of the setting, such as {@code limiter.redis.uri}
     * @param otherwise what holds where it is not set
     * @return its value, or {@code otherwise}
     * @throws InvalidSettingException if it is set and neither
     */
    default boolean flag(String name, boolean otherwise) {
        Optional<String> text = value(name).map(String::strip);
        if (text.isEmpty()) {
            return otherwise;
        }
        boolean yes = text.get().equalsIgnoreCase("true");
        if (!yes && !text.get().equalsIgnoreCase("false")) {
            throw new InvalidSettingException(name, "must be true or false, was \"" + text.get() + "\"");
        }
        return yes;
    }

    /**
     * A setting that is a duration within bounds.
     *
     * @param name of the setting, such as {@code limiter.redis.uri}
     * @param otherwise what holds where it is not set
     * @param min the least that is allowed
     * @param max the most that is allowed
     * @return its value, or {@code otherwise}
     * @throws InvalidSettingException if it is set and not a duration from {@code min} to
     *     {@code max}
     */
    default Duration duration(String name, Duration otherwise, Duration min, Duration max) {
        Optional<String> text = value(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        Duration duration;
        try {
            duration = DurationNotation.parse(text.get());
        } catch (IllegalArgumentException unreadable) {
            throw new InvalidSettingException(name, unreadable.getMessage());
        }
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw new InvalidSettingException(
                    name,
                    "must be from " + DurationNotation.format(min) + " to " + DurationNotation.format(max) + ", was \""
                            + text.get() + "\"");
        }
        return duration;
    }

    /**
     * A setting that is a whole number within bounds.
     *
     * @param name of the setting, such as {@code limiter.redis.uri}
     * @param otherwise what holds where it is not set
     * @param min the least that is allowed
     * @param max the most that is allowed
     * @return its value, or {@code otherwise}
     * @throws InvalidSettingException if it is set and not a whole number from {@code min} to
     *     {@code max}
     */
    default int integer(String name, int otherwise, int min, int max) {
        Optional<String> text = value(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text.get().strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException unreadable) {
            // told below, with the range
        }
        throw new InvalidSettingException(
                name, "must be a whole number from " + min + " to " + max + ", was \"" + text.get() + "\"");
    }
}
