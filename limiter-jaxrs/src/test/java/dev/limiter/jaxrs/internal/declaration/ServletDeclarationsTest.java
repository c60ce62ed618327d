package dev.limiter.jaxrs.internal.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong limits of servlets, and their messages. */
class ServletDeclarationsTest {
    @RateLimited(name = "one", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
    @RateLimited(
            name = "queue",
            key = "{ip}",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 5,
            window = "1s",
            maxWait = "1s")
    static class Right extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimited(
            name = "first",
            key = "{ip}",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 5,
            window = "1s",
            maxWait = "1s")
    @RateLimited(
            name = "last",
            key = "'all'",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 5,
            window = "1s",
            maxWait = "1s")
    static class TwoQueues extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimited(name = "same", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
    @RateLimited(name = "same", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
    static class OneNameTwice extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimitExempt("one")
    static class ExemptedByName extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimitExempt
    @RateLimited(name = "one", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
    static class LimitedAndExempted extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** There is nothing to be exempt from: it says that there is no limit on purpose. */
    @RateLimitExempt
    static class Exempted extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @RateLimited(name = "options", key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "1s")
    static class AnswersOptions extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doOptions(HttpServletRequest request, HttpServletResponse response) {}
    }

    static Stream<Object[]> wrong() {
        return Stream.of(
                new Object[] {
                    TwoQueues.class, "a request can wait for one LEAKY_BUCKET only, and here are 2: first, last"
                },
                new Object[] {OneNameTwice.class, "\"same\" names two limits of one request"},
                new Object[] {ExemptedByName.class, "there is no outer limit to exempt it from"},
                new Object[] {LimitedAndExempted.class, "there is no outer limit to exempt it from"});
    }

    private static List<String> problems(Class<?> servlet) {
        List<String> problems = new ArrayList<>();
        read(servlet, problems);
        return problems;
    }

    private static Plan read(Class<?> servlet, List<String> problems) {
        return new PlanReader(
                        new PolicyRegistry(new MapSettings(), Policy.DEFAULT_LEASE, System::nanoTime), Object.class)
                .read(servlet, problems);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void eachMistakeIsSaid(Class<?> servlet, String problem) {
        assertThat(problems(servlet)).singleElement().asString().contains(problem);
    }

    @Test
    void oneQueueAmongOthersIsRight() {
        assertThat(problems(Right.class)).isEmpty();
    }

    @Test
    void optionsCountForAServletThatAnswersThem() {
        assertThat(read(AnswersOptions.class, new ArrayList<>()).counts("OPTIONS"))
                .isTrue();
        assertThat(read(Right.class, new ArrayList<>()).counts("OPTIONS")).isFalse();
    }
}
