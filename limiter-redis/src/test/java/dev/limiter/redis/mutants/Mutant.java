package dev.limiter.redis.mutants;

import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A defect, planted into the shipped text.
 *
 * @param name the defect, as its finder described it
 * @param edits the replacements, with their files below the project
 */
public record Mutant(String name, List<Edit> edits) {
    private static final Path PROJECT = Guide.PROJECT;

    /** Each text that is replaced stands exactly once in its file. */
    public record Edit(String file, String find, String replacement) {}

    public static Mutant of(String name, String file, String find, String replacement) {
        return new Mutant(name, List.of(new Edit(file, find, replacement)));
    }

    public Mutant and(String file, String find, String replacement) {
        List<Edit> both = new ArrayList<>(edits);
        both.add(new Edit(file, find, replacement));
        return new Mutant(name, both);
    }

    /** The changed files by their path. */
    Map<String, String> texts() throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String text = texts.containsKey(edit.file())
                    ? texts.get(edit.file())
                    : Files.readString(PROJECT.resolve(edit.file()));
            int at = text.indexOf(edit.find());
            if (at < 0 || text.indexOf(edit.find(), at + 1) >= 0) {
                throw new IllegalStateException("\"" + name + "\" cannot be planted: " + edit.file()
                        + " must hold exactly once: " + edit.find());
            }
            texts.put(edit.file(), text.replace(edit.find(), edit.replacement()));
        }
        return texts;
    }

    @Override
    public String toString() {
        return name;
    }
}
