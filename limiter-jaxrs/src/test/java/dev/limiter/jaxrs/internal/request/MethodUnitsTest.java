package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.internal.store.Settlement;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.declaration.PlanTable;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.spi.Ask;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Units that the method reserves with an estimate, and settles. */
class MethodUnitsTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final Policy TOKENS = policy("tokens", 100);
    private static final Policy IMAGES = policy("images", 5);
    private static final Policy CALLS = policy("calls", 10);

    private final MapSettings settings = new MapSettings();
    private final ApplicationRuntime runtime = runtime();
    private final RateLimiter limiter = runtime.limiter();
    private final RequestState state = begun(runtime, new FakeRequest());
    private final RateLimits limits = state.limits();

    interface Resource {
        @GET
        @RateLimited(
                name = "tokens",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                cost = "0",
                countOn = "!5xx",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 200), @Tier(name = "staff", unlimited = true)})
        @RateLimited(
                name = "images",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 5,
                window = "1h",
                cost = "0")
        @RateLimited(
                name = "calls",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 10,
                window = "1h",
                cost = "{query:size|'1'}")
        void get();
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    /** Beside the one unit of {@link #state}. */
    @ParameterizedTest
    @CsvSource({"1", "4", "9"})
    void aRequestOfManyUnitsIsToldWhatItLeaves(long size) {
        RequestState many = begun(runtime, new FakeRequest().with("query:size", Long.toString(size)));
        assertThat(many.limits().remaining("calls")).isEqualTo(9 - size);
        assertThat(many.limits().used("calls")).isEqualTo(1 + size);
        assertThat(many.limits().charge("calls", 0).remaining()).isEqualTo(9 - size);
        many.respondsWith(200);
        assertThat(many.published())
                .singleElement()
                .satisfies(calls -> assertThat(calls.result().remaining()).isEqualTo(9 - size));
        assertSpent(0, 0, 1 + size);
    }

    @Test
    void anUploadThatItsClientBreaksOffIsNotFree() {
        limits.reserve("tokens", 30);
        state.clientFailed();
        end(503);
        assertSpent(30, 0, 1);
    }

    /** The settlement and the end of the request meet: each unit is of one of them. */
    @Test
    void whatIsBeingSettledDoesNotComeBack() {
        limits.reserve(Map.of("tokens", 30L, "images", 2L));
        List<Decision.Admitted> open = state.limits().takeUnsettled("tokens");
        end(503);
        assertSpent(30, 2, 1);
        limiter.settle(Settlement.of(open, TOKENS, 10));
        assertSpent(10, 2, 1);
    }

    /** The services of an application, with other limiters for what is given back and asked. */
    static RequestServices asking(RequestServices of, Lazy<RateLimiter> limiter, RateLimiter asked) {
        LimitEvaluator evaluator = of.evaluator();
        return new RequestServices(
                limiter,
                of.policies(),
                new LimitEvaluator(
                        of.policies(),
                        evaluator.exempt(),
                        new Lazy<>(() -> asked),
                        evaluator.slots(),
                        evaluator.signals()),
                of.deployed(),
                of.leases(),
                of.failures(),
                of.unreserved(),
                of.retryAfter(),
                of.headers(),
                of.problems(),
                of.addresses());
    }

    /** A thread of the first endpoint reserves while its servlet forwards to the second. */
    @Test
    void whatWasReservedDuringAForwardIsSettled() {
        RequestServices inside = runtime.requests();
        LimitEvaluator evaluator = inside.evaluator();
        List<Runnable> meanwhile = new ArrayList<>();
        RateLimiter store = new FailingStore(limiter) {
            @Override
            public <A> A answer(Ask<A> ask) {
                meanwhile.forEach(Runnable::run);
                return super.answer(ask);
            }
        };
        RequestState forwarded = asking(inside, inside.limiter(), store).begin(true);
        evaluator.decide(forwarded, plan(runtime).at(Stage.AFTER_AUTHENTICATION), new FakeRequest());
        meanwhile.add(
                () -> evaluator.decide(forwarded, plan(runtime).at(Stage.AFTER_AUTHENTICATION), new FakeRequest()));
        forwarded.limits().reserve("tokens", 30);
        forwarded.limits().settle("tokens", 10);
        assertSpent(10, 0, 2);
    }

    @Test
    void severalPoliciesAreAllOrNothing() {
        limits.reserve(Map.of("tokens", 30L, "images", 4L));
        assertSpent(30, 4, 1);
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> limits.reserve(Map.of("tokens", 30L, "images", 2L)))
                .satisfies(exceeded -> assertThat(exceeded.rejection().failing())
                        .extracting(result -> result.policy().name())
                        .containsExactly("images"));
        assertSpent(30, 4, 1);
        limits.settle("images", 2);
        limits.settle("tokens", 10);
        assertSpent(10, 2, 1);
    }

    @Test
    void severalPoliciesAreAskedInTheOrderOfTheirDeclaration() {
        for (List<String> names : List.of(List.of("tokens", "images"), List.of("images", "tokens"))) {
            Map<String, Long> units = new LinkedHashMap<>();
            names.forEach(name -> units.put(name, 1L));
            limits.reserve(units);
            List<Decision> decisions = limits.decisions();
            assertThat(decisions.get(decisions.size() - 1).results())
                    .extracting(result -> result.policy().name())
                    .containsExactly("tokens", "images");
        }
    }

    /** The key of the method has the limit of no tier, and the caller those of its own. */
    @ParameterizedTest
    @CsvSource({"gold, 200", "'', 100"})
    void aSettlementAfterAnAcquisitionOfAnotherKeyIsPublishedWithItsNumbers(String tier, long limit) {
        RequestState caller = begun(runtime, new FakeRequest().with("attribute:plan", tier));
        caller.limits().acquire("tokens", "another");
        caller.limits().settle("tokens", 20);
        caller.respondsWith(200);
        assertThat(caller.published())
                .filteredOn(each -> each.result().policy().name().equals("tokens"))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.result().remaining()).isEqualTo(limit - 20);
                    assertThat(each.result().policy().limit()).isEqualTo(limit);
                    assertThat(each.policy().policyItem()).isEqualTo("\"tokens\";q=" + limit + ";w=3600");
                });
        assertThat(caller.limits().remaining("tokens")).isEqualTo(limit - 20);
    }

    @Test
    void anotherKeyOfTheMethodDoesNotHideThoseOfTheRequest() {
        limits.reserve("tokens", 30);
        limits.acquire("tokens", "another");
        assertThat(limits.used("tokens")).isEqualTo(30);
        assertThat(limits.remaining("tokens")).isEqualTo(70);
        assertThat(limits.charge("tokens", 0).used()).isEqualTo(30);
        assertThat(limits.settle("tokens", 30).used()).isEqualTo(30);
        limits.charge("tokens", 5);
        limits.acquire("tokens", "another");
        assertThat(limits.used("tokens")).as("after the charge").isEqualTo(35);
        limits.reserve("tokens", 10);
        assertThat(limits.settle("tokens", 20).used()).isEqualTo(55);
        limits.acquire("tokens", "another");
        assertThat(limits.used("tokens")).as("after the settlement").isEqualTo(55);
        assertThat(limits.settle("tokens", 90).used()).as("settled before").isEqualTo(55);
        assertSpent(55, 0, 1);
    }

    /** The method has asked for the key of the request, but not with the limit of its tier. */
    @Test
    void theKeyOfTheRequestWithOtherNumbersIsAskedAnew() {
        RequestState gold = begun(runtime, new FakeRequest().with("attribute:plan", "gold"));
        gold.limits().reserve("tokens", 30);
        gold.limits().acquire("tokens", ALL);
        assertThat(gold.limits().remaining("tokens")).isEqualTo(169);
    }

    /** The method that goes on after a rejection has used something all the same. */
    @Test
    void aRejectionChargesNothing() {
        limits.reserve("tokens", 80);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limits.reserve("tokens", 21));
        assertSpent(80, 0, 1);
        limits.settle("tokens", 85);
        assertSpent(85, 0, 1);
    }

    @Test
    void anEstimateCountsAtMostAsWhatThePolicyHolds() {
        limits.reserve("tokens", Long.MAX_VALUE);
        assertSpent(100, 0, 1);
        limits.settle("tokens", 20);
        assertSpent(20, 0, 1);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limits.reserve("tokens", 1_000));
    }

    @Test
    void theNumbersAreThoseOfTheTier() {
        RequestState gold = begun(runtime, new FakeRequest().with("attribute:plan", "gold"));
        gold.limits().reserve("tokens", 150);
        assertThat(gold.limits().settle("tokens", 120).remaining()).isEqualTo(80);
    }

    @Test
    void whatDoesNotCountTheRequestIsLeftAlone() {
        assertSpares(runtime, new FakeRequest().with("attribute:plan", "staff"));
        settings.with("limiter.exempt-addresses", "192.0.2.0/24");
        assertSpares(runtime(), new FakeRequest().with("peer", "192.0.2.1"));
        settings.with("limiter.enabled", "false");
        assertSpares(runtime(), new FakeRequest());
    }

    private void assertSpares(ApplicationRuntime of, FakeRequest caller) {
        RateLimits spared = begun(of, caller).limits();
        spared.reserve("tokens", 1_000);
        assertThat(spared.settle("tokens", 2_000).remaining()).isEqualTo(100);
        assertThat(spared.remaining("tokens")).isEqualTo(100);
        assertThat(spent(TOKENS)).isZero();
    }

    /** A shadow changes no response, so it leaves out a request of which it cannot read the key. */
    @Test
    void aShadowOfAnUnreadableFormIsLeftOut() {
        settings.with("limiter.policy.shadow.enforcement", "shadow");
        ApplicationRuntime shadowed = runtime();
        FakeRequest unreadable =
                new FakeRequest().with("form:name", UnreadableFormException.malformed("name is there twice"));
        RequestState begun = shadowed.requests().begin(true);
        List<Limit> formed = plan(shadowed, Formed.class).at(Stage.AFTER_AUTHENTICATION);
        assertThat(shadowed.requests().evaluator().decide(begun, formed, unreadable))
                .isNull();
        begun.limits().reserve("shadow", 30);
        assertThat(begun.limits().settle("shadow", 40).charged()).isZero();
        assertThat(begun.limits().decisions()).isEmpty();
        settings.without("limiter.policy.shadow.enforcement");
        ApplicationRuntime enforced = runtime();
        List<Limit> same = plan(enforced, Formed.class).at(Stage.AFTER_AUTHENTICATION);
        assertThatExceptionOfType(UnreadableFormException.class)
                .isThrownBy(() -> enforced.requests()
                        .evaluator()
                        .decide(enforced.requests().begin(true), same, unreadable));
    }

    interface Formed {
        @POST
        @RateLimited(
                name = "shadow",
                key = "{form:name}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                cost = "0")
        void post();
    }

    @Test
    void wrongUseSaysWhatToWrite() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.reserve("calls", 3))
                .withMessage("the filter charges policy \"calls\"; declare it with cost = \"0\" to reserve and settle"
                        + " its units, or call charge(\"calls\", units)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.settle("calls", 3))
                .withMessageContaining("cost = \"0\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.reserve("tokns", 3))
                .withMessageContaining("no policy \"tokns\" with cost = \"0\" applies to this request")
                .withMessageContaining("\"tokens\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.reserve("tokens", -1))
                .withMessage("units on policy \"tokens\" must be at least 0, were -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.reserve(Collections.singletonMap("tokens", null)))
                .withMessage("units on policy \"tokens\" must be at least 0, were null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.acquire("tokens", (PartitionKey) null))
                .withMessage("the key for policy \"tokens\" is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.acquire("tokens", (String) null))
                .withMessage("the key for policy \"tokens\" is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.settle("tokens", -1))
                .withMessageContaining("\"tokens\" must be from 0 to 2^31 - 1");
        assertThatIllegalArgumentException().isThrownBy(() -> limits.reserve(Map.of("tokens", 3L, "calls", 1L)));
        assertSpent(0, 0, 1);
    }

    /** Whatever was refused, before and after the estimate. */
    @Test
    void theRightCallAfterAWrongOneDoesItsWork() {
        for (long wrong : new long[] {-1, 1L << 31}) {
            assertThatIllegalArgumentException().isThrownBy(() -> limits.settle("tokens", wrong));
            assertThatIllegalArgumentException().isThrownBy(() -> limits.charge("tokens", wrong));
            assertThatIllegalArgumentException().isThrownBy(() -> limits.reserve("tokens", Math.min(wrong, -1)));
            limits.reserve("tokens", 30);
            assertThatIllegalArgumentException().isThrownBy(() -> limits.settle("tokens", wrong));
            assertThat(limits.remaining("tokens")).isEqualTo(70);
            assertThat(limits.settle("tokens", 10).remaining()).isEqualTo(90);
            limits.forgive("tokens");
            assertSpent(0, 0, 1);
        }
    }

    @Test
    void theTableOfLimitsTellsIt() {
        assertThat(PlanTable.of(Resource.class.getName(), List.of(plan(runtime))))
                .hasValueSatisfying(table -> assertThat(table)
                        .contains("100, reserved by the method, counts !5xx")
                        .contains("5, reserved by the method"));
    }

    private ApplicationRuntime runtime() {
        return new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
    }

    private static RequestState begun(ApplicationRuntime of, FakeRequest caller) {
        RequestState begun = of.requests().begin(true);
        assertThat(of.requests().evaluator().decide(begun, plan(of).at(Stage.AFTER_AUTHENTICATION), caller))
                .isNull();
        return begun;
    }

    private static Plan plan(ApplicationRuntime of) {
        return plan(of, Resource.class);
    }

    private static Plan plan(ApplicationRuntime of, Class<?> resource) {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(of.policies(), Application.class)
                .read(resource, resource.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return plan;
    }

    private void end(int status) {
        state.respondsWith(status);
        state.finished();
        state.ended(status);
    }

    private List<String> published() {
        return state.published().stream()
                .map(each -> each.result().policy().name())
                .toList();
    }

    private long left(String policy) {
        return state.published().stream()
                .map(PublishedResult::result)
                .filter(result -> result.policy().name().equals(policy))
                .mapToLong(CheckResult::remaining)
                .sum();
    }

    private void assertSpent(long tokens, long images, long calls) {
        assertThat(List.of(spent(TOKENS), spent(IMAGES), spent(CALLS))).containsExactly(tokens, images, calls);
    }

    private long spent(Policy policy) {
        return policy.capacity() - limiter.peek(policy, ALL).remaining();
    }

    private static Policy policy(String name, long limit) {
        return Policy.of(name, Algorithm.SLIDING_LOG, limit, Duration.ofHours(1));
    }
}
