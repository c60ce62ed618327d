package dev.limiter.spi;

import dev.limiter.internal.settings.DurationNotation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * One setting: its name, its default, the values that it takes, and when it is read. With
 * {@code Setting.duration("limiter.lease", "30s", "1s", "1h")} the value {@code 2h} is refused:
 * {@code limiter.lease: must be from 1s to 1h, was "2h"}.
 *
 * @param <T> the type of its value
 * @param name such as {@code limiter.lease}
 * @param standard the default, as it would be written; empty for none
 * @param range the least and the most that is allowed, such as {@code 1s to 1h}; or empty
 * @param isReadAgain whether it is read again while the application runs, not only at the start
 * @param reader reads a text, or throws an {@link IllegalArgumentException} with the rule and the
 *     text that breaks it
 */
public record Setting<T>(String name, String standard, String range, boolean isReadAgain, Function<String, T> reader) {

    /**
     * {@return a setting with a notation of its own}
     *
     * @param <T> the type of its value
     * @param name of the setting, such as {@code limiter.headers}
     * @param standard the default, as it would be written; empty for none
     * @param reader reads a text, or throws an {@link IllegalArgumentException} with the rule and
     *     the text that breaks it
     */
    public static <T> Setting<T> of(String name, String standard, Function<String, T> reader) {
        return new Setting<>(name, standard, "", false, reader);
    }

    /**
     * {@return a setting that is any text, by default empty}
     *
     * @param name of the setting, such as {@code limiter.key-secret}
     */
    public static Setting<String> text(String name) {
        return of(name, "", text -> text);
    }

    /**
     * {@return a setting that is {@code true} or {@code false}}
     *
     * @param name of the setting, such as {@code limiter.enabled}
     * @param standard the default
     */
    public static Setting<Boolean> flag(String name, boolean standard) {
        return of(name, Boolean.toString(standard), text -> {
            boolean yes = text.strip().equalsIgnoreCase("true");
            if (!yes && !text.strip().equalsIgnoreCase("false")) {
                throw new IllegalArgumentException("must be true or false, was \"" + text.strip() + '"');
            }
            return yes;
        });
    }

    /**
     * {@return a setting that is a span of time, as {@link DurationNotation} reads it}
     *
     * @param name of the setting, such as {@code limiter.lease}
     * @param standard the default
     * @param least the least that is allowed
     * @param most the most that is allowed
     */
    public static Setting<Duration> duration(String name, String standard, String least, String most) {
        String range = least + " to " + most;
        Duration from = DurationNotation.parse(least);
        Duration to = DurationNotation.parse(most);
        return new Setting<>(name, standard, range, false, text -> {
            Duration span = DurationNotation.parse(text.strip());
            if (span.compareTo(from) < 0 || span.compareTo(to) > 0) {
                throw new IllegalArgumentException("must be from " + range + ", was \"" + text + '"');
            }
            return span;
        });
    }

    /**
     * {@return a setting that is a whole number}
     *
     * @param name of the setting, such as {@code limiter.ipv6-prefix}
     * @param standard the default
     * @param least the least that is allowed
     * @param most the most that is allowed
     */
    public static Setting<Integer> integer(String name, int standard, int least, int most) {
        String range = least + " to " + most;
        return new Setting<>(name, Integer.toString(standard), range, false, text -> {
            try {
                int number = Integer.parseInt(text.strip());
                boolean digits = text.chars().allMatch(c -> c < 128); // not those of other scripts
                if (digits && number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException unreadable) {
                // told below, with the range
            }
            throw new IllegalArgumentException("must be a whole number from " + range + ", was \"" + text + '"');
        });
    }

    /** {@return the same setting, which is read again while the application runs} */
    public Setting<T> readAgain() {
        return new Setting<>(name, standard, range, true, reader);
    }

    /**
     * {@return its value, or its default if it is not set}
     *
     * @param settings what is configured
     * @throws InvalidSettingException if it is set and cannot be used
     */
    public T in(Settings settings) {
        return read(settings.value(name).orElse(standard));
    }

    /**
     * {@return its value; empty if it is not set}
     *
     * @param settings what is configured
     * @throws InvalidSettingException if it is set and cannot be used
     */
    public Optional<T> ifSet(Settings settings) {
        return settings.value(name).map(this::read);
    }

    private T read(String text) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidSettingException(name, wrong.getMessage());
        }
    }
}
