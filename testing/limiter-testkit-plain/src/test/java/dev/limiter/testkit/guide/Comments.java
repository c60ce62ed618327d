package dev.limiter.testkit.guide;

import java.util.Map;

/**
 * The comments of a language.
 *
 * @param line what begins a comment to the end of the line; empty if nothing does
 * @param open what begins a comment over several lines; empty if nothing does
 * @param close what ends it
 * @param quotes the characters around strings
 * @param wholeLines whether a comment to the end of the line has the line for itself
 */
record Comments(String line, String open, String close, String quotes, boolean wholeLines) {
    private static final String TEXT_BLOCK = "\"\"\"";

    /** By the ending of a file's name, or the kind of a page's block. */
    static final Map<String, Comments> OF = Map.of(
            "java", new Comments("//", "/*", "*/", "\"'", false),
            "js", new Comments("//", "/*", "*/", "\"'`", false),
            "css", new Comments("", "/*", "*/", "\"'", false),
            "lua", new Comments("--", "--[[", "]]", "\"'", false),
            "sh", new Comments("#", "", "", "", true),
            "properties", new Comments("#", "", "", "", true),
            "xml", new Comments("", "<!--", "-->", "", false));

    /**
     * A source in two texts of its length.
     *
     * @param comments the comments at their places; everything else is blank
     * @param code the code at its place, without strings; everything else is blank
     */
    record Parts(String comments, String code) {}

    Parts of(String source) {
        StringBuilder comments = new StringBuilder(blank(source));
        StringBuilder code = new StringBuilder(source);
        int at = 0;
        while (at < source.length()) {
            boolean isBlock = begins(open, source, at);
            boolean isLine = !isBlock && begins(line, source, at) && (!wholeLines || isFirst(source, at));
            boolean isString = quotes.indexOf(source.charAt(at)) >= 0;
            int end = at + 1;
            if (isBlock) {
                end = behind(close, source, at + open.length());
            } else if (isLine) {
                end = lineEnd(source, at);
            } else if (isString) {
                end = stringEnd(source, at);
            }
            if (isBlock || isLine) {
                comments.replace(at, end, source.substring(at, end));
            }
            if (isBlock || isLine || isString) {
                code.replace(at, end, blank(source.substring(at, end)));
            }
            at = end;
        }
        return new Parts(comments.toString(), code.toString());
    }

    private static boolean begins(String mark, String source, int at) {
        return !mark.isEmpty() && source.startsWith(mark, at);
    }

    private static boolean isFirst(String source, int at) {
        return source.substring(source.lastIndexOf('\n', at) + 1, at).isBlank();
    }

    private static int lineEnd(String source, int at) {
        int end = source.indexOf('\n', at);
        return end < 0 ? source.length() : end;
    }

    private static int behind(String mark, String source, int from) {
        int at = source.indexOf(mark, from);
        return at < 0 ? source.length() : at + mark.length();
    }

    /** A string ends with its line, but for a text block and a template. */
    private static int stringEnd(String source, int at) {
        String quote = source.startsWith(TEXT_BLOCK, at) ? TEXT_BLOCK : source.substring(at, at + 1);
        boolean severalLines = quote.equals(TEXT_BLOCK) || quote.equals("`");
        int end = at + quote.length();
        while (end < source.length() && !source.startsWith(quote, end)) {
            if (source.charAt(end) == '\n' && !severalLines) {
                return end;
            }
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(source.length(), end + quote.length());
    }

    static String blank(String text) {
        return text.replaceAll("[^\n]", " ");
    }
}
