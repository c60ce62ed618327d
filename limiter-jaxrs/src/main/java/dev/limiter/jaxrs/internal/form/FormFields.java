package dev.limiter.jaxrs.internal.form;

import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.platform.UrlEncoding;
import jakarta.ws.rs.core.MediaType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The fields of an urlencoded form, as every server reads them. Servers differ on whether a
 * field of the query belongs to the form, and methods on which of several values they take. So a
 * field has a single value, or the form is {@linkplain UnreadableFormException unreadable}.
 *
 * @param text the body; empty if the container has read it
 * @param parameters those of the container; empty if it has not
 */
public record FormFields(String text, Charset charset, Map<String, String[]> parameters) {
    /** The fields of a body that is no form: none. */
    static final FormFields NONE = new FormFields("", StandardCharsets.UTF_8, Map.of());

    private static final String URLENCODED = "x-www-form-urlencoded";
    private static final String WILDCARD = MediaType.MEDIA_TYPE_WILDCARD;

    /**
     * The charsets in which each character of the syntax is the same single byte. A server that
     * assumes another of them finds the same fields.
     */
    private static final Map<String, Charset> CHARSETS = Map.of(
            "UTF-8", StandardCharsets.UTF_8,
            "ISO-8859-1", StandardCharsets.ISO_8859_1,
            "US-ASCII", StandardCharsets.US_ASCII);

    private static final Pattern MALFORMED_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");

    /**
     * Whether a body is an urlencoded form.
     *
     * @param type as the server reads it; null for none
     * @param sent all {@code Content-Type} headers of the request
     * @throws UnreadableFormException if it is none but a server may take it for one. A
     *     container may read the beginning of the header only, or another header. RESTEasy fills
     *     a {@code FormParam} also from {@code multipart/form-data}, that of Open Liberty from
     *     any multipart, and both from any type that a wildcard covers
     */
    static boolean isForm(MediaType type, List<String> sent) {
        boolean exact = sent.size() == 1 && is(type, "application", URLENCODED);
        if (!exact && (sent.stream().anyMatch(FormFields::isNamedIn) || isWildcard(type))) {
            throw unsupportedType();
        }
        return exact;
    }

    public static UnreadableFormException unsupportedType() {
        return UnreadableFormException.unsupported(
                "A limit of this request reads the form, whose Content-Type must be application/" + URLENCODED + '.');
    }

    /**
     * Whether a {@code Content-Type} names a form anywhere, so that a container may read one.
     */
    public static boolean isNamedIn(String contentType) {
        return contentType != null
                && (contentType.toLowerCase(Locale.ROOT).contains(URLENCODED) || isMultipart(contentType));
    }

    /** Whether a {@code Content-Type} names multipart anywhere, of whatever subtype. */
    public static boolean isMultipart(String contentType) {
        return contentType != null && contentType.toLowerCase(Locale.ROOT).contains("multipart");
    }

    private static boolean isWildcard(MediaType type) {
        return type != null
                && (type.getType().strip().equals(WILDCARD)
                        || type.getSubtype().strip().equals(WILDCARD));
    }

    /** RESTEasy keeps blanks around the parts of a type. */
    private static boolean is(MediaType type, String name, String subtype) {
        return type != null
                && type.getType().strip().equalsIgnoreCase(name)
                && type.getSubtype().strip().equalsIgnoreCase(subtype);
    }

    /**
     * The charset of a form: UTF-8 unless its type names another.
     *
     * @throws UnreadableFormException if servers could find different fields in it
     */
    static Charset charset(MediaType type) {
        String name = type.getParameters().get(MediaType.CHARSET_PARAMETER);
        Charset charset = name == null ? StandardCharsets.UTF_8 : known(name);
        if (charset == null) {
            throw UnreadableFormException.unsupported(
                    "A limit of this request reads the form, which must be UTF-8, ISO-8859-1 or US-ASCII.");
        }
        return charset;
    }

    private static Charset known(String name) {
        try {
            return CHARSETS.get(Charset.forName(name).name());
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    /**
     * Reads a form.
     *
     * @param body all of it
     * @throws UnreadableFormException if it is malformed: servers leave out what they cannot
     *     decode, or keep it, or refuse it
     */
    static FormFields parse(byte[] body, Charset charset) {
        String text =
                new String(body, charset); // as servers do: a letter that is not percent-encoded is the same letter
        if (MALFORMED_ESCAPE.matcher(text).find()) {
            throw UnreadableFormException.malformed("The form has a \"%\" without two hexadecimal digits after it.");
        }
        return new FormFields(text, charset, Map.of());
    }

    /** The fields that the servlet container has read. */
    static FormFields of(Map<String, String[]> parameters) {
        return new FormFields("", StandardCharsets.UTF_8, parameters);
    }

    /**
     * The value of a field; null when there is none.
     *
     * @param inQuery the values of this name in the query, which some servers take for the
     *     form's
     * @throws UnreadableFormException if there are several, and they differ
     */
    String value(String name, List<String> inQuery) {
        if (this == NONE) {
            return null;
        }
        List<String> values = UrlEncoding.values(name, text, charset);
        values.addAll(inQuery);
        values.addAll(Arrays.asList(parameters.getOrDefault(name, new String[0])));
        return only(name, values);
    }

    /**
     * The value, if all values are equal; null if there are none.
     *
     * @param name of the field
     * @throws UnreadableFormException if they differ
     */
    public static String only(String name, List<String> values) {
        List<String> different = values.stream()
                .map(value -> Objects.requireNonNullElse(value, ""))
                .distinct()
                .limit(2)
                .toList();
        if (different.size() > 1) {
            throw UnreadableFormException.malformed("The field \"" + LogText.of(name)
                    + "\", which a limit of this request counts, has several values, in the form or in form and"
                    + " query; send one.");
        }
        return different.isEmpty() ? null : different.get(0);
    }
}
