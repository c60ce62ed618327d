package dev.limiter.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The error replies that servers were seen to send, from {@code store-errors.txt}; the head of
 * that file says how to read it.
 */
public final class RecordedErrors {
    private static final String FILE = "/dev/limiter/redis/store-errors.txt";
    private static final String HASH = "0123456789abcdef0123456789abcdef01234567";

    private final Map<ErrorSituation, Map<String, Set<String>>> serversByForm = new EnumMap<>(ErrorSituation.class);

    public static RecordedErrors read() {
        RecordedErrors recorded = new RecordedErrors();
        ErrorSituation situation = null;
        String form = null;
        for (String line : text().lines().toList()) {
            if (line.startsWith("[")) {
                situation = ErrorSituation.valueOf(line.substring(1, line.length() - 1));
            } else if (line.startsWith("    ")) {
                recorded.forms(situation).get(form).addAll(Set.of(line.strip().split(" ")));
            } else if (!line.startsWith("#") && !line.isBlank()) {
                form = line;
                recorded.forms(situation).put(form, new TreeSet<>());
            }
        }
        return recorded;
    }

    /** The forms of a situation, each with the names of the servers that use it. */
    public Map<String, Set<String>> forms(ErrorSituation situation) {
        return serversByForm.computeIfAbsent(situation, none -> new LinkedHashMap<>());
    }

    /** The names of all servers in the table. */
    public Set<String> servers() {
        Set<String> servers = new TreeSet<>();
        serversByForm.values().stream()
                .map(Map::values)
                .flatMap(Collection::stream)
                .forEach(servers::addAll);
        return servers;
    }

    /** An error reply without what differs from call to call. */
    public static String form(String words) {
        return words.replaceAll("[0-9a-f]{40}", "HASH")
                .replaceAll("(user_script: ?)\\d+", "$1LINE")
                .replaceAll("\\b[Uu]ser caller\\b", "User USER")
                .replaceAll("^(MOVED|ASK) \\d+ 127\\.0\\.0\\.1:\\d+", "$1 SLOT ADDRESS")
                .stripTrailing();
    }

    /** An error reply of a form. */
    public static String words(String form) {
        return form.replace("HASH", HASH)
                .replace("LINE", "17")
                .replace("USER", "READONLY")
                .replace("SLOT ADDRESS", "866 127.0.0.1:6379");
    }

    private static String text() {
        try (InputStream in = RecordedErrors.class.getResourceAsStream(FILE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
