package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.internal.store.Receipt;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.key.FailedExpressionException;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The units and leases of one request, and when they come back. */
class RequestStateTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final PartitionKey KEY = PartitionKey.of("key", "a");
    private static final Policy UNITS = Policy.of("units", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy FAILURES = Policy.of("failures", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy FLIGHT = Policy.concurrency("flight", 100);

    private final MapSettings settings = new MapSettings()
            .with("limiter.slot-wait.max", "0")
            .with("limiter.policy.queue.key", "'all'")
            .with("limiter.policy.queue.algorithm", "LEAKY_BUCKET")
            .with("limiter.policy.queue.limit", "1")
            .with("limiter.policy.queue.window", "1h")
            .with("limiter.policy.queue.max-wait", "2h")
            .with("limiter.policy.spare.key", "'all'")
            .with("limiter.policy.spare.algorithm", "CONCURRENCY")
            .with("limiter.policy.spare.limit", "100");
    private final ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
    private final RateLimiter limiter = runtime.limiter();
    private final List<Limit> limits = limits();
    private final RequestState state = runtime.requests().begin(true);
    private final RateLimits request = state.limits();

    interface Resource {
        @GET
        @RateLimited(
                name = "units",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "staff", unlimited = true))
        @RateLimited(
                name = "failures",
                key = "'all'",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 100,
                window = "1h",
                countOn = "5xx")
        @RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
        void get();
    }

    interface Acquiring {
        @GET
        @RateLimited(name = "left", key = "'all'", algorithm = Algorithm.GCRA, limit = 100, window = "1h", cost = "0")
        void work();
    }

    interface Mistaken {
        @GET
        @RateLimited(name = "log-in", key = "#{user.nmae}", algorithm = Algorithm.GCRA, limit = 5, window = "1h")
        void charged();

        @GET
        @RateLimited(
                name = "log-in",
                key = "#{user.nmae}",
                algorithm = Algorithm.GCRA,
                limit = 5,
                window = "1h",
                cost = "0")
        void acquired();
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    /** Payara says 500 of a stream of HTTP/2 that was reset. */
    @Test
    void aClientThatLeavesIsChargedWhateverStatusTheServerNames() {
        decide();
        state.respondsWith(200);
        state.clientLeft();
        assertSpent(1, 1, 0);
        state.respondsWith(404);
        state.ended(404);
        assertSpent(1, 1, 0);
    }

    /** The server may have chosen no type, after the method, and answered in its place. */
    @Test
    void anErrorForAClientThatNamesARangeOfTypesCounts() {
        for (String accept : List.of("image/*", "*/*, text/* ;q=0.1", "a/b;a=\",\",*/json")) {
            RequestState ranged = runtime.requests().begin(true);
            ranged.meets(limits, accepting("text/html", accept));
            assertThat(ranged).extracting("errorsCount").as(accept).isEqualTo(true);
        }
        state.meets(limits, accepting("text/html, *; q=.2", "*/*; q=.2"));
        assertThat(state).extracting("errorsCount").isEqualTo(false);
        assertThat(runtime.requests().evaluator().decide(state, limits, accepting("image/*")))
                .isNull();
        state.respondsWith(406);
        assertThat(published()).containsExactly("units", "failures", "flight");
        state.ended(406);
        assertSpent(1, 1, 0);
    }

    private static FakeRequest accepting(String... fields) {
        return new FakeRequest().with("header:Accept", List.of(fields));
    }

    /** The client broke its upload off: no failure of the server. */
    @Test
    void anErrorAfterABodyThatCouldNotBeReadCountsAsBadRequest() {
        decide();
        state.clientFailed();
        state.respondsWith(500);
        assertThat(published()).containsExactly("units", "flight");
        state.ended(500);
        assertSpent(1, 0, 0);
    }

    /** Also for the key of the limit: its cost, tier and statuses may be others. */
    @Test
    void aUnitThatAFilterAcquiresIsOneMore() {
        request.acquire("units", KEY);
        request.acquire("units", ALL);
        decide();
        decide();
        assertSpent(2, 1, 1);
        assertThat(limiter.peek(UNITS, KEY).remaining()).isEqualTo(99);
        assertThat(request.remaining("units")).isEqualTo(98);
    }

    @Test
    void aMethodThatNeverAcquiresIsWarnedOfOnce() {
        try (LogLines log = new LogLines("dev.limiter.plan")) {
            for (int i = 0; i < 30; i++) {
                endOf("Shop.fails", 400, work -> {});
                endOf("Shop.acquires", 200, work -> work.reserve("left", 1));
                endOf("Shop.charges", 200, work -> work.charge("left", 1));
                endOf("Shop.settles", 200, work -> work.settle("left", 1));
            }
            endOf("Shop.first", 200, work -> work.reserve("left", 1));
            for (int i = 0; i < 9; i++) {
                endOf("Shop.never", 200, work -> {});
                endOf("Shop.seldom", 200, work -> {});
                endOf("Shop.first", 200, work -> {});
            }
            assertThat(log.taken()).isEmpty();
            endOf("Shop.seldom", 200, work -> work.reserve("left", 1));
            for (int i = 0; i < 30; i++) {
                endOf("Shop.never", 200, work -> {});
                endOf("Shop.seldom", 200, work -> {});
            }
            assertThat(log.taken())
                    .containsExactly(
                            "WARNING LIM16 \"left\" on Shop.never limits nothing: its cost is \"0\", and none of"
                                    + " 10 requests reserved units. Call RateLimits.reserve(\"left\", units) in the method,"
                                    + " write a cost, or exempt the method");
        }
    }

    private void endOf(String endpoint, int status, Consumer<RateLimits> method) {
        RequestState ending = runtime.requests().begin(true);
        List<Limit> left = limits(Acquiring.class, Acquiring.class.getDeclaredMethods()[0]);
        FakeRequest caller = new FakeRequest().with("endpoint", endpoint);
        assertThat(runtime.requests().evaluator().decide(ending, left, caller)).isNull();
        method.accept(ending.limits());
        ending.respondsWith(status);
        ending.finished();
        ending.ended(status);
    }

    @Test
    void anExpressionThatFailsNamesPolicyAndEndpoint() {
        FakeRequest caller = new FakeRequest().with("user", "ann").with("endpoint", "Shop.buy");
        for (Method each : Mistaken.class.getDeclaredMethods()) {
            assertThatExceptionOfType(FailedExpressionException.class)
                    .isThrownBy(
                            () -> runtime.requests().evaluator().decide(state, limits(Mistaken.class, each), caller))
                    .withMessageStartingWith("policy \"log-in\" on Shop.buy: #{user.nmae} cannot be evaluated: ");
        }
    }

    /** A slot that the running request asked for and did not get. */
    @Test
    void aRejectedSlotWaitLeavesTheLeasesOfTheRequest() {
        decide();
        request.acquire("queue", KEY);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> request.acquire("queue", KEY));
        assertSpent(1, 1, 1);
        assertThat(runtime.requests().leases().held()).isEqualTo(1);
        state.ended(200);
        assertSpent(1, 0, 0);
    }

    /**
     * The jitter is drawn once for a response: two draws of an hour would be equal once in 3,600
     * times, and here are 20 pairs.
     */
    @Test
    void anExceptionSaysTheNumberThatTheFieldSays() {
        settings.with("limiter.retry-after-jitter", "1h");
        ApplicationRuntime jittering = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        for (int i = 0; i < 20; i++) {
            RequestState rejected = jittering.requests().begin(true);
            assertThat(jittering.requests().evaluator().decide(rejected, limits, new FakeRequest()))
                    .isNull();
            RateLimits limitsOfIt = rejected.limits();
            PartitionKey caller = PartitionKey.of("key", "caller-" + i);
            limitsOfIt.acquire("queue", caller);
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> limitsOfIt.acquire("queue", caller))
                    .satisfies(exceeded -> assertThat(exceeded.retryAfterSeconds())
                            .isPositive()
                            .isEqualTo(rejected.retryAfterSeconds()));
        }
        jittering.close();
    }

    @Test
    void aLaterRejectionHasANumberOfItsOwn() {
        RequestState rejected = runtime.requests().begin(true);
        RateLimits limitsOfIt = rejected.limits();
        rejected.add(rejection(5_000_000));
        assertThat(rejected.retryAfterSeconds()).isEqualTo(5);
        rejected.replaceLast(rejection(7_000_000));
        assertThat(rejected.retryAfterSeconds()).isEqualTo(7);
        assertThat(limitsOfIt.decisions()).hasSize(1);
    }

    private RequestDecision rejection(long micros) {
        BoundLimit units = BoundLimit.of(limits.get(0), KEY, null);
        CheckResult answer = new CheckResult(units.policy(), false, 0, micros, micros, micros);
        return new RequestDecision(List.of(units), new Decision.Rejected(List.of(answer), 0));
    }

    /**
     * The query found no rows: an answer without asking, so that a store that fails makes no
     * failure of it.
     */
    @Test
    void aChargeOfNothingChangesNothing() {
        decide();
        ChargeResult before = request.charge("units", 0);
        assertThat(before.charged() + before.dropped()).isZero();
        assertThat(before.remaining()).isEqualTo(99);
        ChargeResult nine = request.charge("units", 9);
        assertThat(request.charge("units", 0))
                .isEqualTo(new ChargeResult(UNITS, 0, 0, 90, nine.nextAfterMicros(), nine.resetAfterMicros()));
        assertThat(request.remaining("units")).isEqualTo(90);
        assertSpent(10, 1, 1);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> request.charge("flight", 0));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> request.charge("units", -1));
    }

    /** A method may ask for several keys, and come back to the first one. */
    @Test
    void whatIsLeftIsThatOfTheKeyThatWasChargedLast() {
        decide();
        request.charge("units", 9);
        request.acquire("units", KEY);
        request.charge("units", 9);
        assertThat(left("units")).isEqualTo(90);
        request.acquire("units", ALL);
        request.charge("units", 9);
        assertThat(left("units")).isEqualTo(80);
    }

    private long left(String policy) {
        return state.published().stream()
                .map(PublishedResult::result)
                .filter(answer -> answer.policy().name().equals(policy))
                .mapToLong(CheckResult::remaining)
                .sum();
    }

    /**
     * A result of one process only is not published, and neither is an earlier result of that
     * policy.
     */
    @Test
    void resultsOfTheFallbackAreNotPublished() {
        decide();
        state.respondsWith(503);
        assertThat(published()).contains("units", "failures");
        BoundLimit units = BoundLimit.of(limits.get(0), KEY, null);
        CheckResult notChecked = CheckResult.notChecked(units.policy());
        state.add(new RequestDecision(
                List.of(units),
                new Decision.Admitted(List.of(notChecked), 0, Receipt.ofFallback(List.of(units.check()), null))));
        assertThat(published()).doesNotContain("units").contains("failures");
        assertThat(request.remaining("units")).isEqualTo(100);
    }

    @Test
    void aChargeThatTheStoreDoesNotKnowOfTakesItsPolicyOutOfTheFields() {
        decide();
        state.respondsWith(503);
        state.limits().charged(BoundLimit.of(limits.get(0), ALL, null), ChargeResult.notCharged(UNITS, 9));
        assertThat(published()).doesNotContain("units").contains("failures");
        request.charge("units", 9);
        assertThat(published()).contains("units");
    }

    /** Nothing was taken, so nothing comes back: why it was rejected is told. */
    @Test
    void aRejectionIsPublishedWhateverTheStatus() {
        limiter.charge(FAILURES, ALL, 100);
        assertThat(runtime.requests().evaluator().decide(state, limits, new FakeRequest()))
                .isNotNull();
        state.respondsWith(429);
        assertThat(published()).containsExactly("units", "failures", "flight");
        assertThat(left("failures")).isZero();
    }

    private List<String> published() {
        return state.published().stream()
                .map(each -> each.result().policy().name())
                .toList();
    }

    /** The kill switch must not make an error of a method that charges. */
    @Test
    void whatIsSwitchedOffChargesNothing() {
        settings.with("limiter.enabled", "false");
        ApplicationRuntime off = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
        RequestState skipped = off.requests().begin(true);
        assertSpares(off, skipped, skipped.limits(), new FakeRequest());
        off.close();
    }

    @Test
    void aCallerWithoutALimitIsChargedNothing() {
        assertSpares(runtime, state, request, new FakeRequest().with("attribute:plan", "staff"));
        settings.with("limiter.exempt-addresses", "192.0.2.0/24");
        ApplicationRuntime exempting = new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
        RequestState exempt = exempting.requests().begin(true);
        assertSpares(exempting, exempt, exempt.limits(), new FakeRequest().with("peer", "192.0.2.1"));
        exempting.close();
    }

    private void assertSpares(ApplicationRuntime of, RequestState skipped, RateLimits limitsOfIt, FakeRequest caller) {
        assertThat(of.requests().evaluator().decide(skipped, limits, caller)).isNull();
        assertThat(limitsOfIt.charge("units", 9)).isEqualTo(new ChargeResult(UNITS, 0, 9, 100, 0, 0));
        assertThat(limitsOfIt.remaining("units")).isEqualTo(100);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> limitsOfIt.remaining("unit"));
        assertThat(spent(UNITS)).isZero();
    }

    private void decide() {
        assertThat(runtime.requests().evaluator().decide(state, limits, new FakeRequest()))
                .isNull();
    }

    private List<Limit> limits() {
        return limits(Resource.class, Resource.class.getDeclaredMethods()[0]);
    }

    private List<Limit> limits(Class<?> resource, Method method) {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(runtime.policies(), Application.class).read(resource, method, problems);
        assertThat(problems).isEmpty();
        return plan.at(Stage.AFTER_AUTHENTICATION);
    }

    private void assertSpent(long units, long failures, long inFlight) {
        assertThat(List.of(spent(UNITS), spent(FAILURES), spent(FLIGHT))).containsExactly(units, failures, inFlight);
    }

    private long spent(Policy policy) {
        return policy.capacity() - limiter.peek(policy, ALL).remaining();
    }
}
