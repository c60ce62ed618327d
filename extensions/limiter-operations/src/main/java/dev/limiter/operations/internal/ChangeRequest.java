package dev.limiter.operations.internal;

import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.Response.Status;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Providers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What an operator writes: <code>{"limit": 5, "for": "PT30M", "because": "attack"}</code>.
 *
 * @param values by member of the policy, as configuration would have them
 * @param span how long it holds; zero until it is taken back
 * @param because the reason
 */
public record ChangeRequest(Map<String, String> values, Duration span, String because) {
    static final List<String> OF_POLICIES = List.of("limit", "burst", "window", "enforcement");
    static final List<String> OF_CALLERS = List.of("limit", "burst");

    private static final Pattern OTHERS =
            Pattern.compile("(candidate\\.)?tier\\.[ -~]+\\.(limit|burst|unlimited)|candidate\\.(limit|burst|window)");
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final int MOST_BYTES = 4_096;
    private static final int MOST_BRACKETS = 32;
    private static final int MOST_CHARACTERS = 200;
    private static final Annotation[] NONE = {};

    /**
     * Reads the body of a request with what the server or the application reads JSON.
     *
     * @param ofCaller whether it has the numbers of one caller
     * @throws RefusedException if it cannot be read
     */
    public static ChangeRequest of(InputStream body, Providers providers, boolean ofCaller) {
        Map<String, Object> members = new TreeMap<>(members(body, providers));
        String because = text(members.remove("because"), "because");
        Duration span = members.containsKey("for") ? span(text(members.remove("for"), "for")) : Duration.ZERO;
        Map<String, String> values = new TreeMap<>();
        members.forEach((name, value) -> {
            requireKnown(name, ofCaller);
            values.put(name, value(name, value));
        });
        if (values.isEmpty()) {
            throw refused("states no number; write \"limit\", such as {\"limit\": 5, \"because\": \"attack\"}");
        }
        return new ChangeRequest(values, span, because);
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // readers of JSON make maps of text and anything
    private static Map<String, Object> members(InputStream body, Providers providers) {
        MediaType json = MediaType.APPLICATION_JSON_TYPE;
        MessageBodyReader<Map> reader = providers.getMessageBodyReader(Map.class, Map.class, NONE, json);
        if (reader == null) {
            throw new IllegalStateException(
                    "nothing here reads JSON; add a provider, such as jersey-media-json-jackson");
        }
        byte[] bytes = bytes(body);
        Map<String, Object> members = null;
        try {
            members = reader.readFrom(
                    Map.class, Map.class, NONE, json, new MultivaluedHashMap<>(), new ByteArrayInputStream(bytes));
        } catch (IOException | RuntimeException malformed) {
            // each reader has exceptions of its own
        }
        if (members == null) {
            throw refused("is not a JSON object");
        }
        return members;
    }

    private static byte[] bytes(InputStream body) {
        byte[] bytes;
        try {
            bytes = body.readNBytes(MOST_BYTES + 1);
        } catch (IOException unreadable) {
            throw refused("cannot be read");
        }
        if (bytes.length > MOST_BYTES) {
            throw new RefusedException(
                    Status.REQUEST_ENTITY_TOO_LARGE, "The body has more than " + MOST_BYTES + " bytes");
        }
        long brackets = new String(bytes, StandardCharsets.UTF_8)
                .chars()
                .filter(each -> each == '{' || each == '[')
                .count();
        if (brackets > MOST_BRACKETS) { // some readers would end with an overflow of the stack
            throw refused("nests too deep");
        }
        return bytes;
    }

    private static void requireKnown(String name, boolean ofCaller) {
        List<String> known = ofCaller ? OF_CALLERS : OF_POLICIES;
        if (!known.contains(name) && (ofCaller || !OTHERS.matcher(name).matches())) {
            throw refused("has \"" + name + "\", which cannot be changed; "
                    + Suggestions.suggest(name, known)
                    + (ofCaller ? "" : "; numbers of a tier are \"tier.<name>.limit\" and so on"));
        }
    }

    private static String value(String name, Object value) {
        if (value instanceof Number number) {
            try {
                return Long.toString(new BigDecimal(number.toString()).longValueExact());
            } catch (ArithmeticException | NumberFormatException fraction) {
                throw refused("has \"" + name + "\": must be a whole number, was " + number);
            }
        }
        return value instanceof Boolean ? value.toString() : text(value, name).strip();
    }

    private static String text(Object value, String name) {
        if (!(value instanceof String text) || text.isBlank()) {
            throw refused("has no text in \"" + name + '"');
        }
        if (text.length() > MOST_CHARACTERS || text.chars().anyMatch(Character::isISOControl)) {
            throw refused("has \"" + name + "\": must be a line of at most " + MOST_CHARACTERS + " characters");
        }
        return text;
    }

    private static Duration span(String text) {
        try {
            Duration span = DurationNotation.parse(text);
            if (span.compareTo(Duration.ofSeconds(1)) >= 0 && span.compareTo(LONGEST) <= 0) {
                return span;
            }
        } catch (IllegalArgumentException unreadable) {
            throw refused("has \"for\": " + unreadable.getMessage());
        }
        throw refused("has \"for\": must be from 1s to " + DurationNotation.format(LONGEST) + ", was \"" + text + '"');
    }

    private static RefusedException refused(String why) {
        return new RefusedException(Status.BAD_REQUEST, "The body " + why);
    }
}
