package dev.limiter.jaxrs.internal.platform;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a query, or of an urlencoded form. */
public final class UrlEncoding {
    private UrlEncoding() {}

    /**
     * All values of each field, in their order; null for a field without a value.
     *
     * @param text null for none
     */
    public static Map<String, List<String>> fields(String text, Charset charset) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String field : text == null ? new String[0] : text.split("&")) {
            if (!field.isEmpty()) {
                String[] parts = field.split("=", 2);
                fields.computeIfAbsent(decoded(parts[0], charset), name -> new ArrayList<>(1))
                        .add(parts.length == 1 ? null : decoded(parts[1], charset));
            }
        }
        return fields;
    }

    /**
     * The values of one field, as in {@link #fields}. The other fields, which may be thousands,
     * are not kept.
     */
    public static List<String> values(String name, String text, Charset charset) {
        List<String> values = new ArrayList<>(1);
        for (int from = 0; from < text.length(); ) {
            int ampersand = text.indexOf('&', from);
            int end = ampersand < 0 ? text.length() : ampersand;
            String field = text.substring(from, end);
            int equals = field.indexOf('=');
            if (!field.isEmpty()
                    && decoded(equals < 0 ? field : field.substring(0, equals), charset)
                            .equals(name)) {
                values.add(equals < 0 ? null : decoded(field.substring(equals + 1), charset));
            }
            from = end + 1;
        }
        return values;
    }

    /**
     * Decodes a text. A malformed text stays as it is: it is only counted, and the service will
     * refuse it.
     */
    private static String decoded(String text, Charset charset) {
        try {
            return URLDecoder.decode(text, charset);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }
}
