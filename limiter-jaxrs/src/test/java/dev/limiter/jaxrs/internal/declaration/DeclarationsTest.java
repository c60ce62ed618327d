package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.LogAssertions;
import dev.limiter.jaxrs.MisplacedDeclarations;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.RightDeclarations;
import dev.limiter.jaxrs.WarningDeclarations;
import dev.limiter.jaxrs.WrongDeclarations;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A corpus of declarations. Each is read alone, and has exactly its expected messages or limits.
 */
class DeclarationsTest {

    @TestFactory
    Stream<DynamicTest> aWrongDeclarationFailsTheDeploymentWithAnAddressTheValueAndTheRule() {
        return wrong().map(each ->
                dynamicTest(each.toString(), () -> assertThat(problems(each)).containsExactlyInAnyOrder(each.says())));
    }

    @TestFactory
    Stream<DynamicTest> aDoubtfulDeclarationIsWarnedOf() {
        return Declaration.of(WarningDeclarations.class)
                .map(each -> dynamicTest(each.toString(), () -> {
                    List<String> problems = new ArrayList<>();
                    Plan plan = reader().read(each.type(), (Method) each.element(), problems);
                    assertThat(problems).isEmpty();
                    assertThat(DeclarationWarnings.of(each.type(), Map.of((Method) each.element(), plan)))
                            .containsExactly(each.says());
                }));
    }

    @TestFactory
    Stream<DynamicTest> aRightDeclarationGivesItsLimitsAndNoWarning() {
        return Declaration.of(RightDeclarations.class)
                .map(each -> dynamicTest(each.toString(), () -> {
                    List<String> problems = new ArrayList<>();
                    Plan plan = reader().read(each.type(), (Method) each.element(), problems);
                    assertThat(problems).isEmpty();
                    assertThat(DeclarationWarnings.of(each.type(), Map.of((Method) each.element(), plan)))
                            .isEmpty();
                    assertThat(plan.limits()).extracting(DeclarationsTest::text).containsExactly(each.says());
                }));
    }

    /** Each member and each algorithm can be declared wrongly; each case does so. */
    @Test
    void theCorpusHasWrongUsesOfEveryMemberAndRightOnesOfEveryAlgorithm() {
        List<String> wrong = wrong().flatMap(each -> Stream.of(each.says())).toList();
        List<String> members = Stream.of(RateLimited.class.getDeclaredMethods())
                .map(Method::getName)
                .toList();
        assertThat(members)
                .hasSize(18)
                .allSatisfy(member -> assertThat(wrong)
                        .anySatisfy(line -> assertThat(line).startsWith("@RateLimited." + member + " ")));
        List<String> right = Declaration.of(RightDeclarations.class)
                .flatMap(each -> Stream.of(each.says()))
                .toList();
        assertThat(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)))
                .allSatisfy(algorithm ->
                        assertThat(right).anySatisfy(line -> assertThat(line).contains(": " + algorithm + " ")));
        assertThat(wrong().count()).isGreaterThanOrEqualTo(70);
        assertThat(Declaration.of(WarningDeclarations.class).count()).isGreaterThanOrEqualTo(12);
        assertThat(Declaration.of(RightDeclarations.class).count()).isGreaterThanOrEqualTo(30);
    }

    /**
     * Each message is a single line without line ends, and does not end with the text of a
     * library.
     */
    @Test
    void everyMessageIsOneLine() {
        assertThat(wrong().flatMap(each -> problems(each).stream()))
                .allSatisfy(line -> assertThat(line).matches("[^\\p{Cntrl}]{40,400}[^.\\s]"));
    }

    private static Stream<Declaration> wrong() {
        return Stream.concat(Declaration.of(WrongDeclarations.class), Declaration.of(MisplacedDeclarations.class));
    }

    private static List<String> problems(Declaration declaration) {
        List<String> problems = new ArrayList<>();
        if (declaration.element() instanceof Method method) {
            reader().read(declaration.type(), method, problems);
        } else if (HttpServlet.class.isAssignableFrom(declaration.type())) {
            reader().read(declaration.type(), problems);
        } else {
            problems.addAll(refused(declaration.type()));
        }
        return problems;
    }

    private static List<String> refused(Class<?> type) {
        try {
            boolean isApplication = Application.class.isAssignableFrom(type);
            Plans plans = new Plans(
                    new PlanReader(policies(), isApplication ? type : Application.class), NoEndpoints.known());
            plans.of(type, type.getDeclaredMethods()[0]);
            return List.of();
        } catch (RateLimitDeploymentException refused) {
            return refused.getMessage().lines().toList();
        }
    }

    private static PlanReader reader() {
        return new PlanReader(policies(), Application.class);
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

    /** A method, or a class with all of its methods, on which {@link LogAssertions} stands. */
    private record Declaration(Class<?> type, AnnotatedElement element) {

        static Stream<Declaration> of(Class<?> corpus) {
            return Arrays.stream(corpus.getDeclaredClasses())
                    .flatMap(type -> Stream.<AnnotatedElement>concat(
                                    Stream.of(type), Stream.of(type.getDeclaredMethods()))
                            .filter(element -> element.isAnnotationPresent(LogAssertions.class))
                            .map(element -> new Declaration(type, element)));
        }

        String[] says() {
            return element.getAnnotation(LogAssertions.class).value();
        }

        @Override
        public String toString() {
            return type.getSimpleName() + (element instanceof Method method ? "." + method.getName() : "");
        }
    }
}
