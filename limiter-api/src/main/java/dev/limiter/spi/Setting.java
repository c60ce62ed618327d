package dev.limiter.spi;

import dev.limiter.internal.settings.DurationNotation;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The data sheet of a setting: its name, what holds where it is not set, which values it takes,
 * and when it is read. Readers, the check of the configuration and the check of the guide go by
 * it. Of a setting {@code Setting.duration("limiter.lease", "30s", "1s", "1h")} the value
 * {@code 2h} is refused: {@code limiter.lease: must be from 1s to 1h, was "2h"}.
 *
 * @param <T> what its text is read as
 * @param name such as {@code limiter.lease}
 * @param standard what holds where it is not set, as it would be written; empty for nothing
 * @param range the least and the most that is allowed, such as {@code 1s to 1h}; or empty
 * @param isReadAgain whether it is read again while the application runs, not at the start alone
 * @param reader reads a text, with an {@link IllegalArgumentException} that says the rule and the
 *     text that breaks it
 */
public record Setting<T>(String name, String standard, String range, boolean isReadAgain, Function<String, T> reader) {

    /**
     * A setting with a notation of its own.
     *
     * @param <T> what its text is read as
     * @param name of the setting, such as {@code limiter.headers}
     * @param standard what holds where it is not set, as it would be written; empty for nothing
     * @param reader reads a text, with an {@link IllegalArgumentException} that says the rule and
     *     the text that breaks it
     * @return its data sheet
     */
    public static <T> Setting<T> of(String name, String standard, Function<String, T> reader) {
        return new Setting<>(name, standard, "", false, reader);
    }

    /**
     * A setting that is any text, and empty where it is not set.
     *
     * @param name of the setting, such as {@code limiter.key-secret}
     * @return its data sheet
     */
    public static Setting<String> text(String name) {
        return of(name, "", text -> text);
    }

    /**
     * A setting that is {@code true} or {@code false}.
     *
     * @param name of the setting, such as {@code limiter.enabled}
     * @param standard what holds where it is not set
     * @return its data sheet
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
     * A setting that is a span of time, as {@link DurationNotation} reads it.
     *
     * @param name of the setting, such as {@code limiter.lease}
     * @param standard what holds where it is not set
     * @param least the least that is allowed
     * @param most the most that is allowed
     * @return its data sheet
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
     * A setting that is a whole number.
     *
     * @param name of the setting, such as {@code limiter.ipv6-prefix}
     * @param standard what holds where it is not set
     * @param least the least that is allowed
     * @param most the most that is allowed
     * @return its data sheet
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
     * {@return its value, or what holds where it is not set}
     *
     * @param settings what is configured
     * @throws InvalidSettingException if it is set and cannot be used
     */
    public T in(Settings settings) {
        return read(settings.value(name).orElse(standard));
    }

    /**
     * {@return its value; empty where it is not set}
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
