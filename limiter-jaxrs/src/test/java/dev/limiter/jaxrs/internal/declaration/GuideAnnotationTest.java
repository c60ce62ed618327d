package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the guide's tables of members with the annotations, and tries each value in them in a
 * deployment.
 */
class GuideAnnotationTest {
    private static final String PAGE = "docs/annotation.md";
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");
    private static final Set<Algorithm> DECLARED = EnumSet.complementOf(EnumSet.of(Algorithm.GATE));
    private static final Tier GOLD = DeclarationTable.annotation(Tier.class, Map.of("name", "gold", "limit", 6L));

    /** A value of each member that is not its default. */
    private static final Map<String, Object> OTHERWISE = Map.ofEntries(
            Map.entry("key", "{user}"),
            Map.entry("limit", 6L),
            Map.entry("window", "11s"),
            Map.entry("burst", 7L),
            Map.entry("refill", Refill.INTERVAL),
            Map.entry("borrow", true),
            Map.entry("maxWait", "2s"),
            Map.entry("cost", "2"),
            Map.entry("tier", "{claim:plan}"),
            Map.entry(
                    "tiers", new Tier[] {DeclarationTable.annotation(Tier.class, Map.of("name", "free", "limit", 2L))}),
            Map.entry("quota", "{bean:contracts}"),
            Map.entry("countOn", "5xx"),
            Map.entry("stage", Stage.BEFORE_AUTHENTICATION),
            Map.entry("onStoreFailure", OnStoreFailure.CLOSED),
            Map.entry("enforcement", Enforcement.SHADOW),
            Map.entry("name", "buyer"));

    /** One row, by the heads of its columns. */
    private record Row(Map<String, String> cells) {
        String member() {
            return code("member").get(0);
        }

        List<String> code(String column) {
            return CODE.matcher(cells.getOrDefault(column, ""))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .toList();
        }

        Set<Algorithm> algorithms() {
            List<Algorithm> named =
                    code("algorithms").stream().map(Algorithm::valueOf).toList();
            if (!cells.get("algorithms").startsWith("all")) {
                return EnumSet.copyOf(named);
            }
            Set<Algorithm> all = EnumSet.copyOf(DECLARED);
            named.forEach(all::remove);
            return all;
        }

        boolean isRequiredThere() {
            return cells.get("algorithms").contains("required");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {RateLimited.class, Tier.class, RateLimitExempt.class})
    void aTableHasEachMemberWithItsTypeAndItsDefault(Class<? extends Annotation> annotation) {
        List<String> written = Arrays.stream(annotation.getDeclaredMethods())
                .map(member ->
                        member.getName() + ", " + member.getReturnType().getSimpleName() + ", " + defaultOf(member))
                .toList();
        assertThat(rows(annotation))
                .extracting(row -> row.member() + ", " + row.cells().get("type") + ", "
                        + row.cells().get("default").replace("`", ""))
                .containsExactlyInAnyOrderElementsOf(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/choosing-an-algorithm.md"})
    void eachAlgorithmIsExplained(String page) throws IOException {
        assertThat(Files.readString(Guide.PROJECT.resolve(page)))
                .contains(DECLARED.stream().map(each -> '`' + each.name() + '`').toList());
    }

    @Test
    void whereAMemberIsAnEnumTheTableHasItsConstants() {
        for (Row row : rows(RateLimited.class)) {
            Object[] constants = member(RateLimited.class, row).getReturnType().getEnumConstants();
            if (constants != null) {
                List<String> shown = new ArrayList<>(row.code("allowed"));
                shown.addAll(row.code("refused, for example"));
                shown.remove("Application");
                assertThat(shown)
                        .as(row.member())
                        .containsExactlyInAnyOrderElementsOf(
                                Stream.of(constants).map(Object::toString).toList());
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> aMemberCanBeSetForTheAlgorithmsOfItsRowAndNoOthers() {
        return rows(RateLimited.class).stream()
                .filter(row -> !row.member().equals("algorithm"))
                .map(row -> dynamicTest(row.member(), () -> {
                    assertThat(OTHERWISE).containsKey(row.member());
                    Set<Algorithm> settable = EnumSet.noneOf(Algorithm.class);
                    Set<Algorithm> omittable = EnumSet.noneOf(Algorithm.class);
                    for (Algorithm algorithm : DECLARED) {
                        if (problems(with(algorithm, row.member(), OTHERWISE.get(row.member())))
                                .isEmpty()) {
                            settable.add(algorithm);
                        }
                        Object unset = member(RateLimited.class, row).getDefaultValue();
                        if (unset != null
                                && problems(with(algorithm, row.member(), unset))
                                        .isEmpty()) {
                            omittable.add(algorithm);
                        }
                    }
                    assertThat(settable).isEqualTo(row.algorithms());
                    boolean tiers = row.member().startsWith("tier"); // the one without the other is an error
                    if (!row.cells().get("default").equals("required") && !tiers) {
                        Set<Algorithm> mayBeLeftOut = EnumSet.copyOf(DECLARED);
                        if (row.isRequiredThere()) {
                            mayBeLeftOut.removeAll(row.algorithms());
                        }
                        assertThat(omittable).isEqualTo(mayBeLeftOut);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> eachValueThatIsAllowedDeploysAndEachThatIsRefusedDoesNot() {
        return Stream.concat(
                rows(RateLimited.class).stream()
                        .filter(row -> !row.member().equals("tiers"))
                        .flatMap(row -> tried(RateLimited.class, row, value -> limit(row, value))),
                rows(Tier.class).stream().flatMap(row -> tried(Tier.class, row, value -> tier(row.member(), value))));
    }

    private static Stream<DynamicTest> tried(
            Class<? extends Annotation> annotation, Row row, Function<Object, Map<String, Object>> declaration) {
        Class<?> type = member(annotation, row).getReturnType();
        return Stream.of("allowed", "refused, for example")
                .flatMap(column -> row.code(column).stream()
                        .filter(text -> isValue(text, type))
                        .map(text -> dynamicTest(
                                annotation.getSimpleName() + '.' + row.member() + " = " + text + ": " + column,
                                () -> assertThat(problems(declaration.apply(DeclarationTable.value(text, type))))
                                        .matches(problems -> problems.isEmpty() == column.equals("allowed"), column))));
    }

    /** With the first algorithm that takes the member. */
    private static Map<String, Object> limit(Row row, Object value) {
        if (row.member().equals("algorithm")) {
            return with((Algorithm) value, "name", "");
        }
        return with(row.algorithms().iterator().next(), row.member(), value);
    }

    private static Map<String, Object> tier(String member, Object value) {
        Map<String, Object> tier = new HashMap<>(Map.of("name", "gold"));
        if (!value.equals(true)) {
            tier.put(member.equals("burst") ? "limit" : "burst", 7L);
        }
        tier.put(member, value);
        return with(Algorithm.GCRA, "tiers", new Tier[] {DeclarationTable.annotation(Tier.class, tier)});
    }

    /** A right declaration but for one member. */
    private static Map<String, Object> with(Algorithm algorithm, String member, Object value) {
        Map<String, Object> members = new HashMap<>();
        members.put("key", "{ip}");
        members.put("algorithm", algorithm);
        members.put("limit", 5L);
        members.put("window", algorithm == Algorithm.CONCURRENCY ? "" : "1s");
        members.put("maxWait", algorithm == Algorithm.LEAKY_BUCKET ? "1s" : "");
        members.put("tier", "{attribute:plan}");
        members.put("tiers", new Tier[] {GOLD});
        if (member.equals("quota")) { // which takes the place of tiers
            members.keySet().removeAll(Set.of("tier", "tiers"));
        }
        members.put(member, value);
        return members;
    }

    /** On the application, where each stage is allowed. */
    private static List<String> problems(Map<String, Object> members) {
        RateLimited limited = DeclarationTable.annotation(RateLimited.class, members);
        List<String> problems = new ArrayList<>();
        PolicyRegistry withOperators = new PolicyRegistry(
                new MapSettings(), Duration.ofSeconds(30), System::nanoTime, () -> RequestSignals.NONE, true);
        new LimitReader(withOperators, false, false)
                .read(
                        new AnnotationFinder.Written(List.of(new AnnotationFinder.Found(limited, "")), List.of()),
                        DeclarationSite.of(GuideAnnotationTest.class),
                        true,
                        problems);
        return problems;
    }

    private static boolean isValue(String text, Class<?> type) {
        if (type == String.class) {
            return text.startsWith("\"");
        }
        return type == long.class ? text.matches("-?\\d+") : !text.equals("limit") && !text.equals("Application");
    }

    private static Method member(Class<? extends Annotation> annotation, Row row) {
        return Arrays.stream(annotation.getDeclaredMethods())
                .filter(method -> method.getName().equals(row.member()))
                .findFirst()
                .orElseThrow();
    }

    private static String defaultOf(Method member) {
        Object value = member.getDefaultValue();
        if (value == null) {
            return "required";
        }
        if (value.getClass().isArray()) {
            return "{}";
        }
        return value instanceof String text ? '"' + text + '"' : value.toString();
    }

    private static List<Row> rows(Class<? extends Annotation> annotation) {
        List<String> lines = Guide.text(PAGE)
                .lines()
                .dropWhile(line -> !line.equals("## `@" + annotation.getSimpleName() + '`'))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("|"))
                .toList();
        assertThat(lines).as("a table of %s", annotation).hasSizeGreaterThan(2);
        List<String> heads = cells(lines.get(0));
        return lines.stream()
                .skip(2)
                .map(line -> {
                    List<String> cells = cells(line);
                    assertThat(cells).as(line).hasSameSizeAs(heads);
                    Map<String, String> row = new HashMap<>();
                    for (int i = 0; i < heads.size(); i++) {
                        row.put(heads.get(i), cells.get(i));
                    }
                    return new Row(row);
                })
                .toList();
    }

    private static List<String> cells(String line) {
        return CELL.splitAsStream(line.substring(1))
                .map(cell -> cell.replace("\\|", "|").strip())
                .toList();
    }
}
