package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.form.FormEntity;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.PolicyText;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A corpus of declarations. Each is read alone, and has exactly its expected problems, warnings or
 * limits.
 */
class DeclarationsTest {
    private static final Map<String, DeclarationTable.Row> ROWS = DeclarationTable.rows().stream()
            .collect(Collectors.toMap(DeclarationTable.Row::place, Function.identity()));
    private static final List<Declaration> CORPUS = Stream.concat(
                    ROWS.values().stream().map(row -> new Declaration(row.place(), row.says(), () -> told(row))),
                    Arrays.stream(PlacedDeclarations.class.getDeclaredClasses()).flatMap(DeclarationsTest::placed))
            .toList();

    /** @param told its problems, otherwise its warnings, otherwise its limits */
    private record Declaration(String place, List<String> says, Supplier<List<String>> told) {
        boolean isWrong() {
            return !says.isEmpty() && says.get(0).startsWith("@");
        }

        boolean isDoubtful() {
            return !says.isEmpty() && says.get(0).startsWith("LIM");
        }

        boolean isRight() {
            return !isWrong() && !isDoubtful();
        }
    }

    @TestFactory
    Stream<DynamicTest> aWrongDeclarationFailsTheDeploymentWithAnAddressTheValueAndTheRule() {
        return says(Declaration::isWrong);
    }

    @TestFactory
    Stream<DynamicTest> aDoubtfulDeclarationIsWarnedOf() {
        return says(Declaration::isDoubtful);
    }

    @TestFactory
    Stream<DynamicTest> aRightDeclarationGivesItsLimitsAndNoWarning() {
        return says(Declaration::isRight);
    }

    private static Stream<DynamicTest> says(Predicate<Declaration> kind) {
        return CORPUS.stream()
                .filter(kind)
                .map(each -> dynamicTest(
                        each.place(),
                        () -> assertThat(each.told().get()).as(each.place()).containsExactlyElementsOf(each.says())));
    }

    /** Each member and each algorithm can be declared wrongly; each case does so. */
    @Test
    void theCorpusHasWrongUsesOfEveryMemberAndRightOnesOfEveryAlgorithm() {
        assertThat(RateLimited.class.getDeclaredMethods())
                .hasSize(17)
                .allSatisfy(member -> assertThat(lines(Declaration::isWrong))
                        .anySatisfy(line -> assertThat(line).startsWith("@RateLimited." + member.getName() + " ")));
        assertThat(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)))
                .allSatisfy(algorithm -> assertThat(lines(Declaration::isRight))
                        .anySatisfy(line -> assertThat(line).contains(": " + algorithm + " ")));
        assertThat(CORPUS).filteredOn(Declaration::isWrong).hasSizeGreaterThanOrEqualTo(70);
        assertThat(CORPUS).filteredOn(Declaration::isDoubtful).hasSizeGreaterThanOrEqualTo(12);
        assertThat(CORPUS).filteredOn(Declaration::isRight).hasSizeGreaterThanOrEqualTo(30);
    }

    /**
     * Each message is a single line without line ends, and does not end with the text of a
     * library.
     */
    @Test
    void everyMessageIsOneLine() {
        assertThat(CORPUS.stream().filter(Declaration::isWrong).flatMap(each -> each.told().get().stream()))
                .allSatisfy(line -> assertThat(line).matches("[^\\p{Cntrl}]{40,400}[^.\\s]"));
    }

    private static List<String> lines(Predicate<Declaration> kind) {
        return CORPUS.stream()
                .filter(kind)
                .flatMap(each -> each.says().stream())
                .toList();
    }

    private static List<String> told(DeclarationTable.Row row) {
        PolicyRegistry policies = policies();
        List<String> problems = new ArrayList<>();
        if (row.beside() != null) {
            plan(ROWS.get(row.beside()), policies, problems);
        }
        Plan plan = plan(row, policies, problems);
        return told(plan, problems, () -> DeclarationWarnings.of(List.of(plan)));
    }

    private static Plan plan(DeclarationTable.Row row, PolicyRegistry policies, List<String> problems) {
        DeclarationSite site = new DeclarationSite(row.place(), "app." + row.place() + "()", "");
        List<AnnotationFinder.Found> found = row.limits().stream()
                .map(limited -> new AnnotationFinder.Found(limited, ""))
                .toList();
        AnnotationFinder.Written written = new AnnotationFinder.Written(found, List.of());
        List<Limit> limits = new LimitReader(policies, false, true).read(written, site, false, problems);
        return new Plan(site.identity(), FormEntity.UNKNOWN, false, limits);
    }

    /** A method, or a class with all of its methods, of which something is said. */
    private static Stream<Declaration> placed(Class<?> type) {
        return Stream.<AnnotatedElement>concat(Stream.of(type), Stream.of(type.getDeclaredMethods()))
                .filter(element -> element.isAnnotationPresent(PlacedDeclarations.Expected.class))
                .map(element -> new Declaration(
                        type.getSimpleName() + (element instanceof Method method ? "." + method.getName() : ""),
                        List.of(element.getAnnotation(PlacedDeclarations.Expected.class)
                                .value()),
                        () -> element instanceof Method method ? told(type, method) : problems(type)));
    }

    private static List<String> told(Class<?> type, Method method) {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(policies(), Application.class).read(type, method, problems);
        return told(plan, problems, () -> DeclarationWarnings.of(type, Map.of(method, plan)));
    }

    private static List<String> told(Plan plan, List<String> problems, Supplier<List<String>> warnings) {
        if (!problems.isEmpty()) {
            return problems;
        }
        return warnings.get().isEmpty()
                ? plan.limits().stream().map(DeclarationsTest::text).toList()
                : warnings.get();
    }

    private static List<String> problems(Class<?> type) {
        if (HttpServlet.class.isAssignableFrom(type)) {
            List<String> problems = new ArrayList<>();
            new PlanReader(policies(), Application.class).read(type, problems);
            return problems;
        }
        try {
            Class<?> application = Application.class.isAssignableFrom(type) ? type : Application.class;
            new Plans(new PlanReader(policies(), application), NoEndpoints.known())
                    .of(type, type.getDeclaredMethods()[0]);
            return List.of();
        } catch (RateLimitDeploymentException refused) {
            return refused.getMessage().lines().toList();
        }
    }

    private static PolicyRegistry policies() {
        return new PolicyRegistry(name -> Optional.empty(), Policy.DEFAULT_LEASE, () -> 0);
    }

    /**
     * A limit in a few words. Members with their defaults are left out, but for the key, the
     * cost and the stage.
     */
    private static String text(Limit limit) {
        PolicyDeclaration declaration = limit.policy().declaration();
        Map<String, PolicyDeclaration.TierDeclaration> tiers = declaration.tiers();
        return limit.name() + ": " + PolicyText.of(limit.policy().version().policy()) + ", "
                + limit.key().describe() + ", cost " + limit.cost().describe() + ", " + limit.stage()
                + (limit.countOn().isAll() ? "" : ", counts " + limit.countOn().text())
                + (limit.policy().version().policy().onStoreFailure() == OnStoreFailure.CONFIGURED
                        ? ""
                        : ", on failure " + limit.policy().version().policy().onStoreFailure())
                + (tiers.isEmpty() ? "" : ", " + PolicyText.of(tiers));
    }
}
