package dev.limiter.jaxrs.internal.policy;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.CheckGroup;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits whose rejections must not be cached: their units may come back before their time. */
class RefundableLimitsTest {
    private final PolicyRegistry policies =
            new PolicyRegistry(new MapSettings(), Duration.ofSeconds(30), System::nanoTime);

    interface Endpoints {
        @GET
        @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m", countOn = "401,403")
        void login();

        @GET
        @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m")
        void token();

        @GET
        @RateLimited(name = "alone", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m")
        void alone();

        @GET
        @RateLimited(name = "buyer", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m")
        @RateLimited(name = "show", key = "'all'", algorithm = FIXED_WINDOW, limit = 100, window = "1m")
        void buy();

        @GET
        @RateLimited(name = "show", key = "'all'", algorithm = FIXED_WINDOW, limit = 100, window = "1m")
        void look();

        @GET
        @RateLimited(
                name = "early",
                key = "{ip}",
                algorithm = GCRA,
                limit = 5,
                window = "1m",
                stage = Stage.BEFORE_AUTHENTICATION)
        @RateLimited(name = "late", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m")
        void staged();

        @GET
        @RateLimited(name = "tokens", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m", cost = "0")
        void estimated();

        @GET
        @RateLimited(name = "one", key = "{ip}", algorithm = GCRA, limit = 5, window = "1m", cost = "0")
        @RateLimited(name = "two", key = "{ip}", algorithm = GCRA, limit = 6, window = "1m", cost = "0")
        void two();
    }

    @Test
    void aNameThatCountsSomeResponsesOnlyIsRefundableWhereverItIsAsked() {
        Plan token = plan("token");
        assertThat(group(token).refundable()).isFalse();
        Plan login = plan("login");
        assertThat(group(login).refundable()).isTrue();
        assertThat(group(token).refundable()).isTrue();
    }

    @Test
    void limitsThatAreAskedTogetherAreRefundable() {
        Plan buy = plan("buy");
        assertThat(group(buy).refundable()).isTrue();
        assertThat(group(plan("look")).refundable()).isTrue();
    }

    @Test
    void aLimitThatStandsAloneInItsStageIsNotRefundable() {
        assertThat(group(plan("alone")).refundable()).isFalse();
        Plan staged = plan("staged");
        assertThat(staged.limits()).hasSize(2).noneMatch(Limit::isRefundable);
    }

    @Test
    void aLimitWhoseUnitsTheMethodSettlesIsRefundable() {
        assertThat(plan("estimated").limits()).singleElement().matches(Limit::isRefundable);
    }

    /** The method may acquire more of the wider limit. */
    @Test
    void theWiderOfTwoThatTheMethodAcquiresMayBind() {
        assertThat(DeclarationWarnings.of(List.of(plan("two")))).isEmpty();
    }

    private Plan plan(String method) {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(policies, Application.class).read(Endpoints.class, method(method), problems);
        assertThat(problems).isEmpty();
        return plan;
    }

    private static Method method(String name) {
        try {
            return Endpoints.class.getMethod(name);
        } catch (NoSuchMethodException absent) {
            throw new AssertionError(absent);
        }
    }

    private static CheckGroup group(Plan plan) {
        return BoundLimit.group(plan.limits().stream()
                .map(limit -> BoundLimit.of(limit, new FakeRequest()))
                .toList());
    }
}
