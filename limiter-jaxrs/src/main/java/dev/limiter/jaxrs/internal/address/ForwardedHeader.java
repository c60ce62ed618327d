package dev.limiter.jaxrs.internal.address;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads the {@code for} of each element of a {@code Forwarded} header, RFC 7239. Separators
 * within quotes do not count.
 *
 * <p>It splits the elements from the right. The trusted proxy's element is well-formed; the text
 * before it is the client's claim. So a quote that the client opened and did not close cannot
 * hide the proxy's element.
 */
public final class ForwardedHeader {
    private ForwardedHeader() {}

    /**
     * The address of each element, the client's claim first; empty text for an element without
     * one.
     */
    public static List<String> addresses(String line) {
        List<String> addresses = new ArrayList<>();
        boolean quoted = false;
        int end = line.length();
        for (int i = end - 1; i >= 0; i--) {
            if (line.charAt(i) == '"' && !isEscaped(line, i)) {
                quoted = !quoted;
            } else if (line.charAt(i) == ',' && !quoted) {
                addresses.add(forOf(line.substring(i + 1, end)));
                end = i;
            }
        }
        addresses.add(forOf(line.substring(0, end)));
        Collections.reverse(addresses);
        return addresses;
    }

    private static boolean isEscaped(String line, int quote) {
        int backslash = quote - 1;
        while (backslash >= 0 && line.charAt(backslash) == '\\') {
            backslash--;
        }
        return (quote - backslash) % 2 == 0;
    }

    private static String forOf(String element) {
        for (String pair : pairs(element)) {
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

    private static List<String> pairs(String text) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }
}
