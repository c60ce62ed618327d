package dev.limiter.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The writing rules, on small texts and on the files of the project. */
class ProseTest {
    private static final String LONG = "word ".repeat(20) + "w";
    private static final String REFUSED = Prose.REFUSED_WORDS.get(1);

    private final Prose prose = new Prose(List.of("OldName", "Word"));

    @Test
    void theFilesOfTheProjectKeepTheRules() throws IOException {
        Prose rules = new Prose(replacedNames());
        List<String> problems = new ArrayList<>();
        int looked = 0;
        for (String file : files()) {
            problems.addAll(rules.problems(file, Guide.text(file)));
            looked++;
        }
        assertThat(looked).isGreaterThan(900);
        assertThat(problems).isEmpty();
    }

    @Test
    void aWordThatNamesNoActorIsRefusedInCommentsAndPages() {
        for (String word : Prose.REFUSED_WORDS) {
            assertThat(prose.problems("A.java", "int i;\n// and " + word + " else\n"))
                    .containsExactly("A.java:2: name the actor instead of \"" + word + '"');
        }
        String upper = REFUSED.toUpperCase();
        assertThat(prose.problems("A.java", "/**\n * " + upper + ".\n */\n")).hasSize(1);
        assertThat(prose.problems("a.lua", "x = 1 -- " + REFUSED + "\n")).hasSize(1);
        assertThat(prose.problems("a.xml", "<a>\n<!-- " + REFUSED + " -->\n</a>\n"))
                .hasSize(1);
        assertThat(prose.problems("a.sh", "echo # " + REFUSED + "\n  # " + REFUSED + "\n"))
                .containsExactly("a.sh:2: name the actor instead of \"" + REFUSED + '"');
        assertThat(prose.problems("a.md", "One.\n\nTwo: " + REFUSED + ".\n"))
                .containsExactly("a.md:3: name the actor instead of \"" + REFUSED + '"');
        assertThat(prose.problems("a.md", "```java\nint i; // " + REFUSED + "\n```\n"))
                .containsExactly("a.md:2: name the actor instead of \"" + REFUSED + '"');
    }

    @Test
    void aWordInATextOrWithinAnotherWordIsNone() {
        assertThat(prose.problems("A.java", "String s = \"// " + REFUSED + "\\\" /* " + REFUSED + "\";\n"))
                .isEmpty();
        assertThat(prose.problems("A.java", "String s = \"\"\"\n// " + REFUSED + "\n\"\"\";\nchar c = '\"';\n"))
                .isEmpty();
        assertThat(prose.problems("A.java", "// the " + REFUSED + "Else\n")).isEmpty();
        assertThat(prose.problems("a.md", "The text `" + REFUSED + "` stays.\n\n```text\n" + REFUSED + "\n```\n"))
                .isEmpty();
        assertThat(prose.problems("a.lua", "x = \"-- " + REFUSED + "\"\n")).isEmpty();
    }

    @Test
    void aReplacedNameIsRefusedAlsoInCode() {
        assertThat(prose.problems("A.java", "\nOldName old;\n"))
                .containsExactly("A.java:2: OldName has another name now");
        assertThat(prose.problems("a.md", "See `OldName`.\n")).containsExactly("a.md:1: OldName has another name now");
        assertThat(prose.problems("A.java", "NotOldName a; OldNames b;\n")).isEmpty();
    }

    @Test
    void aReplacedNameThatIsAWordIsRefusedInJavaCodeOnly() {
        assertThat(prose.problems("A.java", "/** A Word. */\nWord w = Word.of(\"Word\"); // Word\n"))
                .containsExactly("A.java:2: Word has another name now", "A.java:2: Word has another name now");
        assertThat(prose.problems("a.md", "Word by `Word`.\n")).isEmpty();
    }

    @Test
    void aLongLineOfProseIsRefused() {
        assertThat(prose.problems("a.md", "short\n" + LONG + "\n")).containsExactly("a.md:2: 101 columns, at most 100");
        assertThat(prose.problems("A.java", "/**\n * " + LONG + "\n */\n"))
                .containsExactly("A.java:2: 104 columns, at most 100");
        assertThat(prose.problems("a.lua", "-- " + LONG + "\n")).hasSize(1);
        assertThat(prose.problems("a.md", LONG.substring(1) + "\n")).isEmpty();
    }

    @Test
    void aLongLineOfATableALinkOrCodeIsNot() {
        assertThat(prose.problems("a.md", "| " + LONG + " |\n")).isEmpty();
        assertThat(prose.problems("a.md", "```text\n" + LONG + "\n```\n")).isEmpty();
        assertThat(prose.problems("a.md", "[here](" + "x".repeat(120) + ")\n")).isEmpty();
        assertThat(prose.problems("A.java", "int i = f(" + "x, ".repeat(40) + "x); // why\n"))
                .isEmpty();
        assertThat(prose.problems("A.java", "/**\n * <pre>\n * " + LONG + "\n * </pre>\n */\n"))
                .isEmpty();
    }

    @Test
    void aLicenceHeaderIsRefused() {
        assertThat(prose.problems("A.java", "// " + Prose.LICENCE_TAG + ": MIT\nclass A {}\n"))
                .containsExactly("A.java:1: no licence header: LICENSE holds for all files");
    }

    @Test
    void aLongReadmeIsRefused() {
        assertThat(prose.problems("README.md", "a\n".repeat(131)))
                .containsExactly("README.md:131: 131 lines, at most 130");
        assertThat(prose.problems("README.md", "a\n".repeat(130))).isEmpty();
        assertThat(prose.problems("lua/README.md", "a\n".repeat(131))).isEmpty();
    }

    private static List<String> replacedNames() throws IOException {
        try (InputStream names = ProseTest.class.getResourceAsStream("replaced-names.txt")) {
            return new String(names.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** The files with prose, without what a build made, or makes meanwhile, and what is hidden. */
    static List<String> files() throws IOException {
        List<String> files = new ArrayList<>();
        Files.walkFileTree(Guide.PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean isPassedOver = !directory.equals(Guide.PROJECT)
                        && directory.getFileName().toString().matches("target|node_modules|\\..*");
                return isPassedOver ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = Guide.PROJECT.relativize(file).toString().replace('\\', '/');
                if (Prose.ENDINGS.contains(Prose.ending(name))) {
                    files.add(name);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(files);
        return files;
    }
}
