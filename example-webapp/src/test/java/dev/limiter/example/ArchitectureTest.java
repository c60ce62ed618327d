package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import dev.limiter.testkit.guide.Guide;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code docs/architecture.md} describes the code as it is. */
@AnalyzeClasses(packages = "dev.limiter", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final int STOPS = 22;
    private static final String PAGE = Guide.text("docs/architecture.md");

    @ArchTest
    static void eachStopOfARequestIsCalledByTheStopThatItComesFrom(JavaClasses code) {
        CallList list = new CallList(section("One admitted request"));

        assertThat(list.size()).isEqualTo(STOPS);
        assertThat(list.problems(code)).isEmpty();
    }

    @ArchTest
    static void aStopThatHasAnotherNameInTheCodeIsReported(JavaClasses code) {
        assertThat(problemsWith(code, 5, "$1 | `KeyExpression.renamed`"))
                .contains("stop 5, KeyExpression.renamed: no such method");
    }

    @ArchTest
    static void aStopThatAnotherStopCallsIsReported(JavaClasses code) {
        assertThat(problemsWith(code, 18, "9 | $2"))
                .singleElement(STRING)
                .startsWith("stop 18, ")
                .endsWith(" does not call it");
    }

    @ArchTest
    static void aStopWhoseCallerHasReturnedIsReported(JavaClasses code) {
        assertThat(problemsWith(code, 19, "5 | $2"))
                .first(STRING)
                .startsWith("stop 19, ")
                .endsWith("stop 5 has returned, or comes later");
    }

    @ArchTest
    static void aMethodThatNoServerCallsIsReportedAsAStart(JavaClasses code) {
        assertThat(problemsWith(code, 19, "server | $2"))
                .singleElement(STRING)
                .startsWith("stop 19, ")
                .endsWith("is no method of an interface of Jakarta");
    }

    /** The problems that the list has in addition if the row of a stop is another one. */
    private static List<String> problemsWith(JavaClasses code, int stop, String row) {
        String list = section("One admitted request");
        String changed = list.replaceFirst("(?m)^\\| " + stop + " \\| (\\w+) \\| (`[^`]+`)", "| " + stop + " | " + row);
        assertThat(changed).isNotEqualTo(list);
        List<String> problems = new ArrayList<>(new CallList(changed).problems(code));
        problems.removeAll(new CallList(list).problems(code));
        return problems;
    }

    @ArchTest
    static void theOtherTablesNameClassesAndMethodsOfTheCode(JavaClasses code) {
        assertThat(CallList.unknownNames(code, column(1, section("Other paths"))))
                .isEmpty();
        assertThat(CallList.unknownNames(code, column(2, section("Where is …"))))
                .isSubsetOf("CONCURRENCY");
        assertThat(CallList.unknownNames(code, "`RequestState.gone` `NoSuchClass`"))
                .containsExactlyInAnyOrder("RequestState.gone", "NoSuchClass");
    }

    @ArchTest
    static void thePackagesAreThoseOfTheCode(JavaClasses all) throws IOException {
        Set<String> packages = new TreeSet<>();
        for (Path sources : PackagesTest.sources()) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.filter(file -> file.endsWith("package-info.java"))
                        .map(file -> sources.relativize(file.getParent()).toString())
                        .forEach(directory -> packages.add(directory.replace(File.separatorChar, '.')));
            }
        }

        assertThat(rowsOf(section("Packages"))).containsExactlyInAnyOrderElementsOf(packages);
    }

    @ArchTest
    static void theTestsThatContributorsAreToldOfExist(JavaClasses all) throws IOException {
        Set<String> tests;
        try (Stream<Path> files = Files.walk(Guide.PROJECT)) {
            tests = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith("Test.java"))
                    .map(file -> file.replace(".java", ""))
                    .collect(Collectors.toSet());
        }
        String told = PAGE + Guide.text("CONTRIBUTING.md") + Guide.text("lua/README.md");

        assertThat(Pattern.compile("\\b[A-Z]\\w+Test\\b")
                        .matcher(told)
                        .results()
                        .map(MatchResult::group))
                .hasSizeGreaterThan(10)
                .isSubsetOf(tests);
    }

    /** The names in the first column. */
    private static Set<String> rowsOf(String section) {
        return Pattern.compile("(?m)^\\| `([^`]+)` \\|")
                .matcher(section)
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toSet());
    }

    /** The cells of a column, from 1, of all tables of a section. */
    private static String column(int number, String section) {
        return section.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.split(" \\| ")[number - 1])
                .collect(Collectors.joining("\n"));
    }

    /** The text under a heading of the second level. */
    private static String section(String heading) {
        String from = PAGE.substring(PAGE.indexOf("\n## " + heading + '\n') + 1);
        int end = from.indexOf("\n## ");
        return end < 0 ? from : from.substring(0, end);
    }
}
