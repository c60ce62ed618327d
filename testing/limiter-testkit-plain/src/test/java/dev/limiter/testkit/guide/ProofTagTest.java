package dev.limiter.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
        List<String> sized = ProseTest.files().stream()
                .filter(file -> file.matches(".*/src/test/java/.*Test\\.java"))
                .filter(file -> HAS_A_SIZE.and(IS_A_TEST).test(Guide.text(file)))
                .toList();
        assertThat(sized).hasSizeGreaterThan(40);
        assertThat(sized).allSatisfy(file -> assertThat(Guide.text(file)).contains("\n@Tag(\"proof\")\n"));
    }
}
