package dev.limiter.jaxrs.internal.settings;

import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Settings in a file, which win over those of other sources. The file is read as a whole, when
 * these settings are made and when they are asked to read it again. A thread of its own reads
 * it, because its mount may hang.
 *
 * @param patience how long to wait when it is read again
 * @param values those in the file
 */
public record WatchedFile(
        Path file,
        Settings others,
        Duration patience,
        BoundedReader<Map<String, String>> reader,
        Map<String, String> values)
        implements Settings {
    /** A file of settings that is read again while the application runs. */
    public static final Setting<Path> FILE = Setting.of("limiter.configuration.file", "", WatchedFile::path);

    private static final int MAX_BYTES = 1_000_000;
    private static final Duration AT_START = Duration.ofSeconds(30);

    /**
     * How long the first request waits for a mount that hangs; a file on a disk takes less than
     * 1 ms.
     */
    private static final Duration AT_A_REQUEST = Duration.ofMillis(50);

    /**
     * The settings with the file that they name; the same settings if they name none.
     *
     * @throws InvalidSettingException if the file cannot be used
     */
    public static Settings over(Settings settings) {
        return over(settings, AT_START, AT_A_REQUEST, System::nanoTime);
    }

    /**
     * @param atStart how long to wait for the file now
     * @param patience how long to wait when it is read again
     * @param nanos a clock that does not step, in ns
     */
    public static Settings over(Settings settings, Duration atStart, Duration patience, LongSupplier nanos) {
        Optional<Path> named = FILE.ifSet(settings);
        if (named.isEmpty()) {
            return settings;
        }
        Path file = named.get();
        BoundedReader<Map<String, String>> reader =
                new BoundedReader<>("limiter-configuration", () -> read(file), nanos);
        Map<String, String> values = reader.read(atStart)
                .orElseThrow(() -> unusable(file, "could not be read within " + DurationNotation.format(atStart)));
        return new WatchedFile(file, settings, patience, reader, values);
    }

    /**
     * The settings with the present content of their file. They are the same settings if there
     * is no file, if it has not changed, or if reading takes longer than the patience. In the
     * last case a later call gets the content.
     *
     * @throws InvalidSettingException if the file cannot be used, or the reading that an earlier
     *     call has begun still goes on
     */
    public static Settings readAgain(Settings settings) {
        if (!(settings instanceof WatchedFile before)) {
            return settings;
        }
        if (before.reader.isReading()) {
            throw unusable(
                    before.file,
                    before.reader.isExhausted()
                            ? "is no longer read: " + BoundedReader.MOST
                                    + " attempts to read it hang; restart the application once it can be read"
                            : "cannot be read now: its mount may hang");
        }
        Map<String, String> now = before.reader.read(before.patience).orElse(before.values);
        return now.equals(before.values)
                ? settings
                : new WatchedFile(before.file, before.others, before.patience, before.reader, now);
    }

    /** The names whose values differ in the files of two settings; none without files. */
    public static Set<String> changes(Settings before, Settings now) {
        if (!(before instanceof WatchedFile old) || !(now instanceof WatchedFile present)) {
            return Set.of();
        }
        Set<String> names = new TreeSet<>(old.values.keySet());
        names.addAll(present.values.keySet());
        names.removeIf(name -> Objects.equals(old.values.get(name), present.values.get(name)));
        return names;
    }

    @Override
    public Optional<String> value(String name) {
        Optional<String> own = Optional.ofNullable(values.get(name)).filter(text -> !text.isBlank());
        return own.isPresent() ? own : others.value(name);
    }

    @Override
    public Iterable<String> names() {
        List<String> names = new ArrayList<>(values.keySet());
        others.names().forEach(names::add);
        return names;
    }

    private static Path path(String text) {
        try {
            Path path = Path.of(text.strip());
            if (path.isAbsolute()) {
                return path;
            }
        } catch (InvalidPathException noPath) {
            // told below, with the rule
        }
        throw new IllegalArgumentException(
                "must be an absolute path, such as \"/etc/shop/limits.properties\", was \"" + text.strip() + '"');
    }

    private static Map<String, String> read(Path file) {
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw unusable(file, "is not a file");
        }
        try (InputStream content = Files.newInputStream(file)) {
            byte[] bytes = content.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw unusable(file, "has more than " + MAX_BYTES + " bytes");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()
                    .replaceFirst("^\\uFEFF", ""); // a byte order mark
            if (text.isBlank()) {
                // A file that is written in place is empty for an instant. That must not take
                // the settings back.
                throw unusable(file, "is empty; if it has no settings, write a comment");
            }
            OnceEach properties = new OnceEach();
            properties.load(new StringReader(text));
            return checked(file, properties);
        } catch (IOException | IllegalArgumentException unreadable) {
            if (unreadable instanceof InvalidSettingException told) {
                throw told;
            }
            // The message of the exception may quote the file, and so a secret.
            throw unusable(
                    file,
                    "cannot be read as properties in UTF-8: "
                            + unreadable.getClass().getSimpleName());
        }
    }

    private static Map<String, String> checked(Path file, OnceEach properties) {
        Map<String, String> values = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (!name.startsWith(SettingNames.PREFIX)) {
                throw unusable(file, "has \"" + name + "\"; its names must begin with \"" + SettingNames.PREFIX + '"');
            }
            if (name.equals(FILE.name())) {
                throw unusable(file, "has " + name + ", which only the other sources can set; remove it");
            }
            if (properties.getProperty(name).contains("${")) {
                throw unusable(file, "has a \"${\" in " + name + ", which nothing replaces there; write the value");
            }
            values.put(name, properties.getProperty(name));
        }
        if (!properties.twice.isEmpty()) {
            throw unusable(file, "has twice: " + String.join(", ", properties.twice) + "; keep one of each");
        }
        return values;
    }

    private static InvalidSettingException unusable(Path file, String why) {
        return new InvalidSettingException(FILE.name(), "\"" + file + "\" " + why);
    }

    /** Properties that refuse a name that is there twice. */
    private static final class OnceEach extends Properties {
        private static final long serialVersionUID = 1L;

        private final transient Set<String> twice = new TreeSet<>();

        @Override
        public synchronized Object put(Object name, Object value) {
            if (containsKey(name)) {
                twice.add(name.toString());
            }
            return super.put(name, value);
        }
    }
}
