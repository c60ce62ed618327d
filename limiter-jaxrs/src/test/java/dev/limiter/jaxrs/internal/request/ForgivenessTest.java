package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.StoreUnavailableException;
import dev.limiter.Tier;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.spi.Signals;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.core.Application;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a method forgives of its own request, and of no other one. */
class ForgivenessTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");

    private final MapSettings settings = new MapSettings()
            .with("limiter.policy.guesses.key", "'all'")
            .with("limiter.policy.guesses.algorithm", "SLIDING_LOG")
            .with("limiter.policy.guesses.limit", "3")
            .with("limiter.policy.guesses.window", "1h");
    private final LocalRateLimiter memory = new LocalRateLimiter();
    private final FailingStore store = new FailingStore(memory);
    private final RateLimiter limiter = new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, Signals.NONE);
    private final ApplicationRuntime runtime = runtime();

    interface Resource {
        @GET
        @RateLimited(
                name = "month",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 10,
                window = "1 month",
                countOn = "401")
        @RateLimited(
                name = "log",
                key = "{user}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 10,
                window = "1h",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 20), @Tier(name = "staff", unlimited = true)})
        @RateLimited(
                name = "rate",
                key = "{user}",
                algorithm = Algorithm.GCRA,
                limit = 10,
                window = "1d",
                countOn = "401",
                onStoreFailure = OnStoreFailure.CLOSED)
        @RateLimited(
                name = "soft",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 1,
                window = "1 month",
                enforcement = Enforcement.SOFT)
        @RateLimited(
                name = "shadow",
                key = "{user}",
                algorithm = Algorithm.UNIFORM,
                limit = 1,
                window = "1h",
                enforcement = Enforcement.SHADOW)
        @RateLimited(name = "flight", key = "{user}", algorithm = Algorithm.CONCURRENCY, limit = 100)
        @RateLimited(
                name = "stage",
                key = "{ip}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 10,
                window = "1h",
                stage = Stage.BEFORE_AUTHENTICATION)
        void get();

        @POST
        @RateLimited(
                name = "log",
                key = "{user}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 10,
                window = "1h",
                cost = "0",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 20), @Tier(name = "staff", unlimited = true)})
        void solve();

        @PUT
        @RateLimited(
                name = "line",
                key = "{user}",
                algorithm = Algorithm.LEAKY_BUCKET,
                limit = 10,
                window = "1h",
                maxWait = "1h")
        void line();
    }

    private ApplicationRuntime runtime() {
        ApplicationRuntime made = new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}));
        made.use(limiter);
        return made;
    }

    private RequestState begun(String method, String user, String tier) {
        RequestState begun = runtime.requests().begin(true);
        Method resourceMethod = Arrays.stream(Resource.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(method))
                .findFirst()
                .orElseThrow();
        List<String> problems = new ArrayList<>();
        Plan plan =
                new PlanReader(runtime.policies(), Application.class).read(Resource.class, resourceMethod, problems);
        assertThat(problems).isEmpty();
        FakeRequest caller = new FakeRequest().with("user", user).with("attribute:plan", tier);
        runtime.requests().evaluator().decide(begun, plan.at(Stage.AFTER_AUTHENTICATION), caller);
        return begun;
    }

    private RequestState begun(String user) {
        return begun("get", user, null);
    }

    private static void end(RequestState state, int status) {
        state.respondsWith(status);
        state.finished();
        state.ended(status);
    }

    private long left(String policy, PartitionKey key) {
        return limiter.peek(runtime.policies().named(policy).version().policy(), key)
                .remaining();
    }

    private long full(String policy) {
        return runtime.policies().named(policy).version().policy().capacity();
    }

    private static List<String> published(RequestState state) {
        return state.published().stream()
                .map(PublishedResult::result)
                .map(result -> result.policy().name() + " " + result.remaining())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"month", "log", "rate", "shadow"})
    void onlyTheCallersOwnPartitionIsForgotten(String policy) {
        begun("bob");
        for (int i = 0; i < 4; i++) {
            begun("alice");
        }
        long others = left(policy, BOB);
        RequestState state = begun("alice");
        assertThat(state.limits().forgive(policy)).isTrue();
        long full = full(policy);
        assertThat(left(policy, ALICE)).isEqualTo(full);
        assertThat(left(policy, BOB)).isEqualTo(others).isEqualTo(full - 1);
        assertThat(state.limits().remaining(policy)).isEqualTo(full);
        assertThat(state.limits().used(policy)).isZero();
        for (String other : List.of("month", "log", "rate", "shadow")) {
            if (!other.equals(policy)) {
                assertThat(left(other, ALICE)).as(other).isLessThan(full(other));
            }
        }
    }

    /**
     * The status counts for no limit, so it would give a unit back, and that unit would be one of
     * a later request: both are of one month, and of one burst.
     */
    @ParameterizedTest
    @CsvSource({"month, 200", "month, 401", "rate, 200", "rate, 401"})
    void whatTheRequestTookDoesNotComeBackOnceMore(String policy, int status) {
        begun("alice");
        RequestState state = begun("alice");
        state.limits().forgive(policy);
        begun("alice");
        end(state, status);
        assertThat(left(policy, ALICE)).isEqualTo(9);
        state.limits().decisions().forEach(each -> limiter.refund((Decision.Admitted) each));
        assertThat(left(policy, ALICE)).as("neither by code").isEqualTo(9);
    }

    @Test
    void anOverageIsForgotten() {
        begun("alice");
        RateLimits limits = begun("alice").limits();
        assertThat(limits.isExceeded("soft")).isTrue();
        limits.forgive("soft");
        assertThat(limits.isExceeded("soft")).isFalse();
        assertThat(limits.used("soft")).isZero();
        assertThat(begun("alice").limits().isExceeded("soft")).isFalse();
    }

    /** A caller that the limit rejects elsewhere may be let in by a method that charges nothing. */
    @ParameterizedTest
    @CsvSource({",10", "gold,20"})
    void aMethodThatReservesTheUnitsForgivesWithoutThem(String tier, long full) {
        begun("get", "bob", tier);
        limiter.charge(runtime.policies().named("log").version().policy(), ALICE, 20);
        RequestState state = begun("solve", "alice", tier);
        assertThat(state.limits().remaining("log")).isZero();
        assertThat(state.limits().forgive("log")).isTrue();
        assertThat(state.limits().remaining("log")).isEqualTo(full);
        assertThat(begun("get", "alice", tier).limits().remaining("log")).isEqualTo(full - 1);
        assertThat(left("log", ALICE)).isEqualTo(9);
    }

    @Test
    void aKeyOfTheMethodIsOfTheRequestAlsoIfItWasRejected() {
        PartitionKey account = PartitionKey.of("key", "alice");
        PartitionKey other = PartitionKey.of("key", "bob");
        limiter.acquire(guesses(), other);
        RateLimits limits = begun("alice").limits();
        for (int i = 0; i < 3; i++) {
            limits.acquire("guesses", "alice");
        }
        RateLimits later = begun("alice").limits();
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> later.acquire("guesses", "alice"));
        later.acquire("guesses", "carol");
        assertThat(later.forgive("guesses")).isTrue();
        assertThat(List.of(left("guesses", account), left("guesses", PartitionKey.of("key", "carol"))))
                .as("all that it asked")
                .containsExactly(3L, 3L);
        assertThat(left("guesses", other)).isEqualTo(2);
    }

    private Policy guesses() {
        return runtime.policies().named("guesses").version().policy();
    }

    @Test
    void aTierThatIsNotCountedHasNothingToForgive() {
        RequestState staff = begun("get", "alice", "staff");
        begun("alice");
        assertThat(staff.limits().forgive("log")).isTrue();
        assertThat(left("log", ALICE)).isEqualTo(9);
    }

    @Test
    void whatTheRequestHasNotAskedIsRefused() {
        RateLimits limits = begun("alice").limits();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.forgive("guesses"))
                .withMessage(
                        "this request has not asked policy \"guesses\", so there is nothing of it to forgive; it has"
                                + " asked month, log, rate, soft, shadow, flight");
        assertThatIllegalArgumentException().as("its stage was not yet").isThrownBy(() -> limits.forgive("stage"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runtime.requests().begin(true).limits().forgive("nothing"))
                .withMessageEndingWith("it has asked none");
    }

    @Test
    void whatIsUnderWayCannotBeForgiven() {
        RateLimits limits = begun("alice").limits();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limits.forgive("flight"))
                .withMessageStartingWith("CONCURRENCY of policy \"flight\" cannot be forgiven: it counts requests");
        assertThat(left("flight", ALICE)).isEqualTo(99);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> begun("line", "alice", null).limits().forgive("line"))
                .withMessageStartingWith("LEAKY_BUCKET of policy \"line\"");
    }

    @Test
    void aClosedPolicyFailsInAnOutageAndDoesNotPretend() {
        RequestState state = begun("alice");
        store.fails = true;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> state.limits().forgive("rate"));
        store.fails = false;
        assertThat(left("rate", ALICE)).isEqualTo(9);
        assertThat(state.limits().remaining("rate")).isEqualTo(9);
        end(state, 200);
        assertThat(left("rate", ALICE)).as("it may have been executed").isEqualTo(9);
    }

    @Test
    void aLocalPolicyIsForgivenInThisProcessAndSaysSo() {
        for (int i = 0; i < 4; i++) {
            begun("alice");
        }
        RequestState state = begun("alice");
        store.fails = true;
        assertThat(state.limits().forgive("log")).isFalse();
        assertThat(state.limits().remaining("log")).isEqualTo(10);
        assertThat(published(state)).as("no figure of one process").noneMatch(each -> each.startsWith("log"));
        Policy log = runtime.policies().named("log").version().policy();
        assertThat(drained(log)).isEqualTo(10);
        store.fails = false;
        assertThat(memory.peek(log, ALICE).remaining())
                .as("the store was not told")
                .isEqualTo(5);
    }

    /** Forgiven in the store and in the mirror, so nothing of before holds in the next outage. */
    @Test
    void theMirrorForgetsToo() {
        for (int i = 0; i < 9; i++) {
            begun("alice");
        }
        RequestState state = begun("alice");
        Policy log = runtime.policies().named("log").version().policy();
        store.fails = true;
        assertThat(limiter.peek(log, ALICE).remaining()).isZero();
        store.fails = false;
        assertThat(state.limits().forgive("log")).isTrue();
        store.fails = true;
        assertThat(drained(log)).isEqualTo(10);
        store.fails = false;
        assertThat(state.limits().forgive("log")).isTrue();
        assertThat(drained(log)).as("what was admitted alone is forgotten, too").isEqualTo(10);
    }

    private long drained(Policy policy) {
        long admitted = 0;
        while (limiter.acquire(policy, ALICE).admitted()) {
            admitted++;
        }
        return admitted;
    }

    /** From then on this process asks the store for each request of the policy. */
    @Test
    void theProcessCachesNoRejectionOfThePolicyAnyMore() {
        assertThat(runtime.policies().named("guesses").isRefundable()).isFalse();
        RateLimits limits = begun("alice").limits();
        limits.acquire("guesses", "alice");
        limits.forgive("guesses");
        assertThat(runtime.policies().named("guesses").isRefundable()).isTrue();
    }
}
