package dev.limiter.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code -Pproof} runs the unit tests that have the tag {@code proof}. */
class ProofTagTest {
    private static final Predicate<String> HAS_A_SIZE = Pattern.compile(
                    "(?m)^import dev\\.limiter\\.testkit\\.property\\.(Property|TestSize);$|\"load\\.seconds\"")
            .asPredicate();
    private static final Predicate<String> IS_A_TEST = Pattern.compile(
                    "(?m)^import org\\.junit\\.jupiter\\.(api\\.(Test|TestFactory)|params\\.ParameterizedTest);$")
            .asPredicate();

    @Test
    void whatDoesMoreAtFullSizeHasTheTag() throws IOException {
        List<String> sized = tests().stream()
                .filter(file -> HAS_A_SIZE.and(IS_A_TEST).test(Guide.text(file)))
                .toList();
        assertThat(sized).hasSizeGreaterThan(40);
        assertThat(sized).allSatisfy(file -> assertThat(Guide.text(file)).contains("\n@Tag(\"proof\")\n"));
    }

    /** The tests, without what a build made, or makes meanwhile, and what is hidden. */
    private static List<String> tests() throws IOException {
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
                if (name.matches(".*/src/test/java/.*Test\\.java")) {
                    files.add(name);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
