package dev.limiter.jaxrs;

import java.util.ArrayList;
import java.util.List;

/** The {@code for} of each element of a {@code Forwarded} field, RFC 7239; what stands within quotes separates nothing. */
final class ForwardedHeader {
    private ForwardedHeader() {}

    /** One address for each element, the client's claim first; empty text for an element that has none. */
    static List<String> addresses(String line) {
        List<String> addresses = new ArrayList<>();
        for (String element : split(line, ',')) {
            addresses.add(forOf(element));
        }
        return addresses;
    }

    private static String forOf(String element) {
        for (String pair : split(element, ';')) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
                return unquoted(pair.substring(equals + 1).strip());
            }
        }
        return "";
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
