package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.PlanTable;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Policies with an anchor have it wherever they are asked, and not only in the filter. */
class AnchoredPoliciesTest {
    private static final CalendarPeriod MONTH = CalendarPeriod.parse("1 month");
    private static final CalendarPeriod OF_CALLER = MONTH.movable();

    private final MapSettings settings = new MapSettings().with("limiter.policy.plan.keep", "1");
    private final ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
    private final RateLimiter limiter = runtime.limiter();
    private final Plan plan = plan();

    interface Resource {
        @GET
        @RateLimited(
                name = "plan",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 100,
                window = "1 month from {attribute:day|'1'}")
        @RateLimited(
                name = "bill",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 100,
                window = "1 month from 15")
        @RateLimited(
                name = "local",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 100,
                window = "1 day {attribute:zone|'UTC'}")
        void get();
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    @Test
    void anAcquisitionByKeyHasTheAnchorOfTheRequest() {
        RateLimits limits = begun("7");
        limits.acquire("plan", "account");
        assertThat(lastAsked(limits)).isEqualTo(OF_CALLER.withAnchor("7"));
    }

    @Test
    void aKeyThatSaysTheAnchorIsBelievedMoreThanTheRequest() {
        RateLimits limits = begun("7");
        limits.acquire(
                "plan",
                PartitionKey.builder()
                        .add("user", "zoo")
                        .add("attribute:day", "28")
                        .build());
        assertThat(lastAsked(limits)).isEqualTo(OF_CALLER.withAnchor("28"));
    }

    @Test
    void aRequestThatMetNoLimitHasThePeriodsWithoutAnAnchor() {
        RateLimits limits = runtime.requests().begin(true).limits();
        limits.acquire("plan", "account");
        assertThat(lastAsked(limits)).isEqualTo(OF_CALLER);
    }

    /** Its server may use the objects of the request for another caller. */
    @Test
    void aRequestThatHasEndedHasThePeriodsWithoutAnAnchor() {
        RequestState ended = decided("7");
        RateLimits limits = ended.limits();
        ended.ended(200);
        limits.acquire("plan", "account");
        assertThat(lastAsked(limits)).isEqualTo(OF_CALLER);
    }

    @Test
    void aLiteralAnchorHoldsForEachQuestion() {
        RateLimits limits = begun("7");
        limits.acquire("bill", "account");
        assertThat(lastAsked(limits)).isEqualTo(MONTH.withAnchor("15"));
        assertThat(limits.policy("bill").period()).isEqualTo(MONTH.withAnchor("15"));
        assertThat(checked("bill", Map.of("user", "zoo")).policy().period()).isEqualTo(MONTH.withAnchor("15"));
    }

    @Test
    void theCheckOfACallerEqualsThatOfTheFilter() {
        Decision filtered = begun("7").decisions().get(0);
        Check stated = checked("plan", Map.of("user", "zoo", "attribute:day", "7"));
        assertThat(stated.policy()).isEqualTo(filtered.results().get(0).policy());
        assertThat(limiter.peek(stated.policy(), stated.key()).remaining()).isEqualTo(99);
    }

    @Test
    void aJobReadsThePeriodThatEndedByTheCheckOfACaller() {
        begun("7");
        Check stated = checked("plan", Map.of("user", "zoo", "attribute:day", "7"));
        Usage present = limiter.usage(stated.policy(), stated.key(), Usage.Period.PRESENT);
        Usage previous = limiter.usage(stated.policy(), stated.key(), Usage.Period.PREVIOUS);
        assertThat(List.of(present.used(), previous.used())).containsExactly(1L, 0L);
        assertThat(stated.policy().period().endMicros(previous.ends().getEpochSecond() * 1_000_000))
                .isEqualTo(present.ends().getEpochSecond() * 1_000_000);
    }

    @Test
    void anOperatorStatesTheAnchor() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checked("plan", Map.of("user", "zoo")))
                .withMessage("policy \"plan\" has an anchor; state \"attribute:day\", empty for a caller without one");
    }

    @Test
    void anOperatorStatesTheTimeZone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checked("local", Map.of("user", "zoo")))
                .withMessage(
                        "policy \"local\" has a time zone; state \"attribute:zone\", empty for a caller without one");
        assertThat(checked("local", Map.of("user", "zoo", "attribute:zone", "Asia/Tokyo"))
                        .policy()
                        .period())
                .isEqualTo(CalendarPeriod.parse("1 day Asia/Tokyo").movable());
    }

    @Test
    void theTableOfLimitsTellsIt() {
        assertThat(PlanTable.of(Resource.class.getName(), List.of(plan)))
                .hasValueSatisfying(table -> assertThat(table)
                        .contains("1 month from {attribute:day|'1'}")
                        .contains("1 month from 15")
                        .contains("1 day {attribute:zone|'UTC'}"));
    }

    private RateLimits begun(String day) {
        return decided(day).limits();
    }

    private RequestState decided(String day) {
        RequestState state = runtime.requests().begin(true);
        FakeRequest caller = new FakeRequest().with("user", "zoo").with("attribute:day", day);
        assertThat(runtime.requests().evaluator().decide(state, plan.at(Stage.AFTER_AUTHENTICATION), caller))
                .isNull();
        return state;
    }

    private static CalendarPeriod lastAsked(RateLimits limits) {
        List<Decision> decisions = limits.decisions();
        return decisions.get(decisions.size() - 1).results().get(0).policy().period();
    }

    private Check checked(String policy, Map<String, String> caller) {
        return runtime.limits().check(policy, caller).orElseThrow();
    }

    private Plan plan() {
        List<String> problems = new ArrayList<>();
        Plan read = new PlanReader(runtime.policies(), Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return read;
    }
}
