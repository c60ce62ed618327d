package dev.limiter.jaxrs.internal.key;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads the text of a key expression: literal text, {@code 'quoted text'}, and placeholders with
 * alternatives in braces.
 */
final class KeyExpressionParser {
    private final String text;
    private int at;

    KeyExpressionParser(String text) {
        this.text = text;
    }

    List<KeyExpression.Segment> parse() {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "is empty; write \"{user}\", \"{ip}\" or, for one partition that all share, \"'all'\"");
        }
        if (text.chars().noneMatch(c -> "{}'".indexOf(c) >= 0)) {
            throw wrong("has no placeholder; write \"{" + text.replaceAll("^\\W+|\\W+$", "")
                    + "}\" for a value of the request, or \"'" + text + "'\" for one partition that all share");
        }
        if (text.contains("${")) {
            throw wrong("has a \"${\", and nothing replaces it in a key; write a"
                    + " placeholder without the \"$\", such as \"{user}\"");
        }
        List<KeyExpression.Segment> parts = new ArrayList<>();
        while (at < text.length()) {
            parts.add(next());
        }
        return parts;
    }

    private KeyExpression.Segment next() {
        if (text.startsWith("#{", at)) {
            return new KeyExpression.Segment(List.of(KeyValueSource.expression(expression())));
        }
        return switch (text.charAt(at)) {
            case '{' -> placeholder();
            case '\'' -> new KeyExpression.Segment(List.of(KeyValueSource.literal(quoted())));
            case '}' -> throw wrong("closes a brace that was not opened, at character " + (at + 1));
            default -> new KeyExpression.Segment(List.of(KeyValueSource.literal(plain())));
        };
    }

    private KeyExpression.Segment placeholder() {
        int opened = at++;
        List<KeyValueSource> alternatives = new ArrayList<>();
        while (true) {
            alternatives.add(alternative(opened));
            if (at >= text.length()) {
                throw unclosed(opened);
            }
            char after = text.charAt(at++);
            if (after == '}') {
                return new KeyExpression.Segment(alternatives);
            }
            if (alternatives.get(alternatives.size() - 1).alwaysPresent()) {
                throw new IllegalArgumentException("in \"" + text + "\" nothing after \""
                        + text.substring(opened + 1, at - 1) + "\" can ever be reached; make it the last alternative");
            }
        }
    }

    private KeyValueSource alternative(int opened) {
        skipBlanks();
        if (at < text.length() && text.charAt(at) == '\'') {
            KeyValueSource literal = KeyValueSource.literal(quoted());
            skipBlanks();
            if (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != '}') {
                throw wrong("has text after a literal, at character " + (at + 1));
            }
            return literal;
        }
        int from = at;
        while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != '}') {
            at++;
        }
        if (at >= text.length()) {
            throw unclosed(opened);
        }
        String placeholder = text.substring(from, at).strip();
        if (placeholder.isEmpty()) {
            throw wrong("has an empty alternative, at character " + (from + 1));
        }
        return KeyValueSource.of(placeholder, text);
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private String quoted() {
        int closing = text.indexOf('\'', at + 1);
        if (closing < 0) {
            throw wrong("opens a quote that is not closed, at character " + (at + 1));
        }
        String literal = text.substring(at + 1, closing);
        if (literal.isEmpty()) {
            throw wrong("has an empty literal, at character " + (at + 1));
        }
        if (literal.matches(".*\\{.*}.*")) {
            throw wrong("quotes a placeholder, which makes it plain text; leave the quotes out");
        }
        at = closing + 1;
        return literal;
    }

    private String plain() {
        int from = at;
        while (at < text.length() && "{}'".indexOf(text.charAt(at)) < 0 && !text.startsWith("#{", at)) {
            at++;
        }
        return text.substring(from, at);
    }

    /** Reads from {@code #{} to its closing brace. Braces within quotes do not count. */
    private String expression() {
        int from = at;
        int open = 0;
        char quote = 0;
        for (at += 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                at += c == '\\' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '{') {
                open++;
            } else if (c == '}' && --open == 0) {
                return text.substring(from, ++at);
            }
        }
        throw unclosed(from + 1);
    }

    private IllegalArgumentException unclosed(int opened) {
        return wrong("opens a brace that is not closed, at character " + (opened + 1));
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException("\"" + text + "\" " + why);
    }
}
