package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Checks of the pages by reading them: each block has a test, and each link has a target. */
class GuideTest {
    /**
     * Java: {@link GuideIT}. Properties and Redis: the tests of limiter-jaxrs and limiter-redis.
     * XML and YAML: here. Text is only shown.
     */
    private static final Set<String> KINDS = Set.of("java", "properties", "redis", "xml", "yaml", "text");

    /** Where commands of a shell are run, by {@link GettingStartedIT} or by example-helidon. */
    private static final Set<String> PAGES_OF_COMMANDS = Set.of("docs/getting-started.md", "docs/stacks.md");

    /** A page that shows all files of the project beside it, and how many these are. */
    private static final Map<String, Integer> PAGES_OF_FILES = Map.of("docs/getting-started.md", 3);

    /** The module that packages each of these projects. */
    private static final Map<String, String> PACKAGED_BY = Map.of(
            "docs/getting-started",
            "testing/example-first-war",
            "docs/service-on-tomcat",
            "testing/example-service-war",
            "docs/helidon",
            "testing/example-helidon");

    /**
     * Libraries that a page names with a version, and the properties of this project with that
     * version.
     */
    private static final Map<String, String> VERSIONS = Map.of(
            "org.glassfish.jersey", "jersey",
            "jakarta.servlet", "jakarta.servlet",
            "org.jboss.weld", "weld",
            "io.helidon", "helidon",
            "io.micrometer", "micrometer",
            "org.junit.jupiter", "junit",
            "dev.limiter", "");

    private static final List<Path> SOURCES = List.of(
            Guide.PROJECT.resolve("docs/dropwizard/src/main/java"),
            Guide.PROJECT.resolve("docs/spring-boot/src/main/java"),
            Guide.PROJECT.resolve("docs/getting-started/src/main/java"),
            Guide.PROJECT.resolve("docs/service-on-tomcat/src/main/java"),
            Guide.PROJECT.resolve("docs/service-on-tomcat/src/test/java"),
            Guide.PROJECT.resolve("docs/quarkus/src/main/java"),
            Guide.PROJECT.resolve("docs/helidon/src/main/java"),
            Guide.PROJECT.resolve("example-webapp/src/main/java"),
            Guide.PROJECT.resolve("example-webapp/src/test/java"));

    private static final Pattern RUNBOOK = Pattern.compile("runbook: (\\S+)#(\\S+)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");

    @Test
    void everyBlockIsOfAKindThatSomeTestLooksAt() {
        assertThat(Guide.blocks()).hasSizeGreaterThan(40).allSatisfy(block -> {
            boolean command = block.kind().equals("sh") && PAGES_OF_COMMANDS.contains(block.page());
            assertThat(command || KINDS.contains(block.kind()))
                    .as("%s: somebody compiles, reads or runs \"%s\"", block, block.kind())
                    .isTrue();
        });
    }

    @Test
    void javaWithAPackageIsAFileOfThisProject() {
        for (String page : Guide.pages()) {
            for (Guide.Block file : Examples.files(page)) {
                Path path = SOURCES.stream()
                        .map(root -> root.resolve(Examples.pathOf(file)))
                        .filter(Files::exists)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(file + ": there is no such file"));
                assertThat(path).as("%s", file).hasContent(file.text());
            }
        }
    }

    /**
     * The build packages these sources with a pom.xml of its own, as the limiter is in no
     * repository yet.
     */
    @Test
    void aWarIsBuiltOfWhatItsPageDeclares() throws Exception {
        String versions = Files.readString(Guide.PROJECT.resolve("pom.xml"))
                + Files.readString(Guide.PROJECT.resolve("testing/pom.xml"));
        for (Map.Entry<String, String> packaged : PACKAGED_BY.entrySet()) {
            Path shownIn = Guide.PROJECT.resolve(packaged.getKey()).resolve("pom.xml");
            Path builtBy = Guide.PROJECT.resolve(packaged.getValue()).resolve("pom.xml");
            List<Element> shown = dependencies(xml(Files.readString(shownIn)));
            List<Element> built = dependencies(xml(Files.readString(builtBy)));
            assertThat(shown.stream().map(GuideTest::module))
                    .containsExactlyElementsOf(built.stream()
                            .filter(each -> !isOfOurTests(each))
                            .map(GuideTest::module)
                            .toList());
            for (Element dependency : shown) {
                String group = text(dependency, "groupId");
                String property = VERSIONS.entrySet().stream()
                        .filter(each -> group.startsWith(each.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(shownIn + ": of which version is " + group + "?"));
                if (!property.isEmpty()) {
                    assertThat(versions + Files.readString(builtBy))
                            .contains("<" + property + ".version>" + text(dependency, "version") + "</" + property
                                    + ".version>");
                }
            }
        }
    }

    /**
     * A reader that writes these files, and no others, gets the project that the build has
     * packaged.
     */
    @Test
    void theProjectOfAPageIsWhatThePageShows() throws IOException {
        for (Map.Entry<String, Integer> page : PAGES_OF_FILES.entrySet()) {
            List<String> shown = Guide.blocksOf(page.getKey()).stream()
                    .map(Guide.Block::text)
                    .toList();
            Path project = Guide.PROJECT.resolve(page.getKey().replace(".md", ""));
            try (Stream<Path> files = Files.walk(project)) {
                List<Path> written = files.filter(Files::isRegularFile)
                        .filter(file -> !file.startsWith(project.resolve("target")))
                        .toList();
                assertThat(written)
                        .hasSize(page.getValue())
                        .allSatisfy(file -> assertThat(shown).contains(Files.readString(file)));
            }
        }
    }

    /** They do not compile alone, so they are text. */
    @Test
    void excerptsAreLinesOfAFileBesideThePage() throws IOException {
        List<List<String>> files = new ArrayList<>();
        try (Stream<Path> paths = Files.walk(Guide.PROJECT.resolve("docs"))) {
            for (Path path :
                    paths.filter(each -> each.toString().endsWith(".java")).toList()) {
                files.add(Files.readString(path).lines().map(String::strip).toList());
            }
        }
        assertThat(Guide.blocks("text").stream().filter(block -> block.text().matches("(?s).*;( // [^\n]*)?\n.*")))
                .hasSizeGreaterThan(10)
                .allSatisfy(block -> assertThat(files)
                        .as("%s", block)
                        .anySatisfy(file -> assertThat(file)
                                .containsAll(
                                        block.text().lines().map(String::strip).toList())));
    }

    /** The project's test starts with that file. */
    @Test
    void yamlIsThatOfAProjectBesideThePage() throws IOException {
        for (Guide.Block block : Guide.blocks("yaml")) {
            Path projects = Guide.PROJECT.resolve(block.page()).getParent();
            try (Stream<Path> files = Files.walk(projects)) {
                List<String> yaml = new ArrayList<>();
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".yml")).toList()) {
                    yaml.add(Files.readString(file));
                }
                assertThat(yaml)
                        .as("%s", block)
                        .anySatisfy(text -> assertThat(text).startsWith(block.text()));
            }
        }
    }

    @Test
    void xmlNamesModulesOfThisProjectInItsVersion() throws Exception {
        String version = text(xml(Files.readString(Guide.PROJECT.resolve("pom.xml"))), "version");
        for (Guide.Block block : Guide.blocks("xml")) {
            for (Element dependency : dependencies(xml(block.text()))) {
                if (text(dependency, "groupId").equals("dev.limiter")) {
                    String module = text(dependency, "artifactId");
                    assertThat(List.of(Path.of(module), Path.of("extensions", module)))
                            .as("%s: %s", block, module)
                            .anySatisfy(path ->
                                    assertThat(Guide.PROJECT.resolve(path)).isDirectory());
                    assertThat(text(dependency, "version")).as("%s", block).isEqualTo(version);
                }
            }
        }
    }

    @Test
    void everyLinkLeadsSomewhere() {
        for (String page : Guide.allPages()) {
            Matcher link = LINK.matcher(Guide.text(page).replaceAll("(?s)```.*?\n```", ""));
            while (link.find()) {
                String target = link.group(1);
                if (target.matches("https?:.*")) {
                    continue;
                }
                Path file = target.isEmpty()
                        ? Guide.PROJECT.resolve(page)
                        : Guide.PROJECT.resolve(page).resolveSibling(target).normalize();
                assertThat(file).as("%s: %s", page, link.group()).exists();
                if (link.group(2) != null) {
                    assertThat(anchors(Guide.PROJECT.relativize(file).toString()))
                            .as("%s: %s", page, link.group())
                            .contains(link.group(2));
                }
            }
        }
    }

    /** The rules are no page, so their links are no links of one. */
    @Test
    void eachAlertSaysWhereToReadWhatToDo() {
        String rules = Guide.text("docs/alerts.yml");
        List<MatchResult> runbooks = RUNBOOK.matcher(rules).results().toList();
        assertThat(runbooks)
                .hasSize(rules.split("- alert:", -1).length - 1)
                .allSatisfy(runbook -> assertThat(anchors(runbook.group(1)))
                        .as("%s", runbook.group())
                        .contains(runbook.group(2)));
    }

    @Test
    void theIndexOfDecisionsNamesEachPage() {
        String folder = "docs/decisions/";
        String index = folder + "README.md";
        assertThat(LINK.matcher(Guide.text(index)).results().map(link -> folder + link.group(1)))
                .containsExactlyInAnyOrderElementsOf(Guide.pages().stream()
                        .filter(page -> page.startsWith(folder) && !page.equals(index))
                        .toList());
    }

    /** A cell that is a figure is a median of the last run. */
    @Test
    void theBenchmarksForReadersAreThoseOfTheLastRun() {
        assertThat(figures("\\| ([\\d.,]+) (?=\\|)", "docs/benchmarks.md"))
                .hasSizeGreaterThan(7)
                .isSubsetOf(
                        figures("(?m),\"?([\\d.,]+)\"?(?:,\"[\\d.,]+\"|,[\\d.]+){2}$", "docs/benchmarks/figures.csv"));
    }

    private static List<String> figures(String pattern, String page) {
        return Pattern.compile(pattern)
                .matcher(Guide.text(page))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The anchors of the headings: small letters, digits, hyphens for blanks. */
    private static Set<String> anchors(String page) {
        return Guide.text(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\d _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<Element> dependencies(Element root) {
        List<Element> dependencies = new ArrayList<>();
        if (root.getTagName().equals("dependency")) {
            dependencies.add(root);
        }
        NodeList nested = root.getElementsByTagName("dependency");
        for (int i = 0; i < nested.getLength(); i++) {
            dependencies.add((Element) nested.item(i));
        }
        return dependencies;
    }

    /** Whether a dependency comes after the kit of this project, with which it tests the page. */
    private static boolean isOfOurTests(Element dependency) {
        for (Node each = dependency; each != null; each = each.getPreviousSibling()) {
            if (each instanceof Element earlier && text(earlier, "artifactId").equals("limiter-testkit")) {
                return true;
            }
        }
        return false;
    }

    private static String module(Element dependency) {
        return text(dependency, "groupId") + ':' + text(dependency, "artifactId");
    }

    private static Element xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getDocumentElement();
    }

    /** The text of a child; of children of children only where it has none of its own. */
    private static String text(Element parent, String child) {
        return parent.getElementsByTagName(child).item(0).getTextContent().strip();
    }
}
