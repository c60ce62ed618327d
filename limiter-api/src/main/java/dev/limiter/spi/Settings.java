package dev.limiter.spi;

import dev.limiter.DurationNotation;
import java.time.Duration;
import java.util.Optional;

/** Configuration by name, such as {@code limiter.redis.uri}, wherever it comes from. */
@FunctionalInterface
public interface Settings {

    /** The value of a setting; empty if it is not set or blank. */
    Optional<String> value(String name);

    /**
     * A setting that is a duration of at least one millisecond.
     *
     * @throws InvalidSettingException if it is set and no such duration
     */
    default Duration duration(String name, Duration otherwise) {
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
        if (duration.toMillis() < 1) {
            throw new InvalidSettingException(name, "must be at least 1ms, was \"" + text.get() + "\"");
        }
        return duration;
    }

    /**
     * A setting that is a whole number within bounds.
     *
     * @throws InvalidSettingException if it is set and not a whole number from {@code min} to {@code max}
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
