package dev.limiter.jaxrs;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The fields of an urlencoded form, as far as its first {@value #MOST_BYTES} bytes tell them. */
final class FormFields {
    static final int MOST_BYTES = 8 * 1024;

    private static final String TYPE = "application/x-www-form-urlencoded";

    private final Map<String, List<String>> fields;

    private FormFields(Map<String, List<String>> fields) {
        this.fields = fields;
    }

    /** Whether a {@code Content-Type} is that of an urlencoded form. */
    static boolean isForm(String contentType) {
        return contentType != null && contentType.split(";", 2)[0].strip().equalsIgnoreCase(TYPE);
    }

    /**
     * Reads the beginning of a form. The last field of a body that goes on is left out: it may have been cut.
     *
     * @param body its first bytes, all of them if there are fewer than {@value #MOST_BYTES}
     */
    static FormFields parse(byte[] body, String contentType) {
        Charset charset = charset(contentType);
        String text =
                new String(body, charset); // as servers do: a letter that is not percent-encoded is the same letter
        int end = body.length < MOST_BYTES ? text.length() : Math.max(0, text.lastIndexOf('&'));
        return new FormFields(UrlEncoded.fields(text.substring(0, end), charset));
    }

    /** The first value of a field; null when there is none. */
    String value(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.get(0);
    }

    /** That of a {@code Content-Type}; UTF-8 where it names none that is known. */
    static Charset charset(String contentType) {
        int parameter = contentType.toLowerCase(Locale.ROOT).indexOf("charset=");
        if (parameter < 0) {
            return StandardCharsets.UTF_8;
        }
        String name = contentType
                .substring(parameter + "charset=".length())
                .split(";")[0]
                .replace("\"", "")
                .strip();
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
