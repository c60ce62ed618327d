package dev.limiter.testkit.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The writing rules of CONTRIBUTING that a program can check, for one file at a time. Prose is
 * Markdown outside of code, and comments. The texts of errors and logs stand in strings and are
 * not looked at.
 */
final class Prose {
    /** The columns of a line of prose. */
    static final int LONGEST_LINE = 100;

    /** The lines of the README. */
    static final int LONGEST_README = 130;

    /** The endings of the files that have prose. */
    static final Set<String> ENDINGS = Set.of("java", "md", "lua", "js", "css", "sh", "xml", "properties");

    /** Words that name no actor; in two parts, so that this file keeps the rule. */
    static final List<String> REFUSED_WORDS = List.of("who" + "ever", "no" + "body", "some" + "body");

    /** The tag of a licence header; in two parts, as these words are. */
    static final String LICENCE_TAG = "SPDX-License" + "-Identifier";

    private static final Pattern REFUSED =
            Pattern.compile("\\b(" + String.join("|", REFUSED_WORDS) + ")\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("\\]\\([^)]*\\)|https?://\\S+");
    private static final Pattern SHOWN_CODE = Pattern.compile("(?s)<pre>.*?</pre>");

    private final Pattern replacedNames;
    private final Pattern replacedWords;

    /**
     * @param replacedNames types that have other names now; those that are words of English, such
     *     as {@code Answer}, are looked for in Java code only
     */
    Prose(List<String> replacedNames) {
        this.replacedNames = anyOf(replacedNames, true);
        this.replacedWords = anyOf(replacedNames, false);
    }

    private static Pattern anyOf(List<String> names, boolean ofSeveralWords) {
        String any = names.stream()
                .filter(name -> name.substring(1).matches("[^A-Z]*") != ofSeveralWords)
                .collect(Collectors.joining("|"));
        return Pattern.compile("\\b(" + any + ")\\b");
    }

    /**
     * A file without what is no prose, which is blank.
     *
     * @param words where words are looked for
     * @param lines where the length of a line counts
     * @param code where types are named that are words, too
     */
    private record Masked(String words, String lines, String code) {}

    /**
     * What breaks a rule, each with file and line.
     *
     * @param file its path from the root of the project
     */
    List<String> problems(String file, String text) {
        Masked masked = file.endsWith(".md") ? page(text) : source(ending(file), text);
        String[] lines = text.split("\n", -1);
        String[] words = masked.words().split("\n", -1);
        String[] measured = masked.lines().split("\n", -1);
        String[] code = masked.code().split("\n", -1);
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            String place = file + ':' + (i + 1) + ": ";
            find(REFUSED, words[i]).forEach(word -> problems.add(place + "name the actor instead of \"" + word + '"'));
            Stream.concat(find(replacedNames, lines[i]), find(replacedWords, code[i]))
                    .forEach(name -> problems.add(place + name + " has another name now"));
            if (lines[i].contains(LICENCE_TAG)) {
                problems.add(place + "no licence header: LICENSE holds for all files");
            }
            int columns = columns(lines[i], measured[i]);
            if (columns > LONGEST_LINE) {
                problems.add(place + columns + " columns, at most " + LONGEST_LINE);
            }
        }
        int length = (int) text.lines().count();
        if (file.equals("README.md") && length > LONGEST_README) {
            problems.add(file + ':' + length + ": " + length + " lines, at most " + LONGEST_README);
        }
        return problems;
    }

    static String ending(String file) {
        return file.substring(file.lastIndexOf('.') + 1);
    }

    private static Stream<String> find(Pattern pattern, String line) {
        return pattern.matcher(line).results().map(found -> found.group(1));
    }

    /**
     * The columns of a line that is nothing but prose, without what its links lead to; of another
     * line 0.
     */
    private static int columns(String line, String measured) {
        if (!measured.strip().equals(line.strip())) {
            return 0;
        }
        String shown = LINK.matcher(line).replaceAll("");
        return shown.codePointCount(0, shown.length());
    }

    private static Masked source(String kind, String text) {
        Comments.Parts parts = Comments.OF.get(kind).of(text);
        String measured = SHOWN_CODE.matcher(parts.comments()).replaceAll(code -> Comments.blank(code.group()));
        return new Masked(parts.comments(), measured, kind.equals("java") ? parts.code() : Comments.blank(text));
    }

    /** A page without its code; of blocks of code the comments have words, but no length. */
    private static Masked page(String text) {
        StringBuilder words = new StringBuilder();
        StringBuilder lines = new StringBuilder();
        StringBuilder block = null;
        String kind = "";
        for (String line : text.split("\n", -1)) {
            boolean isFence = line.stripLeading().startsWith("```");
            if (isFence && block == null) {
                kind = line.strip().substring(3);
                block = new StringBuilder();
            } else if (isFence) {
                Comments comments = Comments.OF.get(kind);
                words.append(
                        comments == null
                                ? Comments.blank(block.toString())
                                : comments.of(block.toString()).comments());
                lines.append(Comments.blank(block.toString()));
                block = null;
            } else if (block != null) {
                block.append(line).append('\n');
                continue;
            } else {
                words.append(INLINE_CODE.matcher(line).replaceAll(code -> Comments.blank(code.group())));
                lines.append(line.stripLeading().startsWith("|") ? "" : line);
            }
            words.append('\n');
            lines.append('\n');
        }
        return new Masked(words.toString(), lines.toString(), Comments.blank(text));
    }
}
