package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Tier;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.QuotaSource.Quota;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.quota.DirectQuotas;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Units that the method reserves, of limits whose quotas are those of contracts. */
class ContractUnitsTest {
    private static final long CACHE = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Quota> contracts = new HashMap<>();
    private final QuotaSource bean = partition -> contracts.get(partition.value("header:Customer"));
    private final ApplicationRuntime runtime =
            new ApplicationRuntime(new MapSettings(), ServerContext.ofServlets("", () -> {}));
    private final RateLimiter limiter = runtime.limiter();
    private long nanos;
    private final Limit limit = withContracts(declared(Resource.class));

    interface Resource {
        @GET
        @RateLimited(
                name = "tokens",
                key = "{header:Customer}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 50,
                window = "1h",
                cost = "0")
        void get();
    }

    interface Monthly {
        @GET
        @RateLimited(
                name = "plan",
                key = "{header:Customer}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 50,
                window = "1 month from {attribute:day|'1'}",
                cost = "0")
        void get();
    }

    interface Bucket {
        @GET
        @RateLimited(
                name = "bucket",
                key = "{header:Customer}",
                algorithm = Algorithm.GCRA,
                limit = 250,
                burst = 50,
                window = "1d",
                tier = "{attribute:plan}",
                tiers = @Tier(name = "gold", limit = 400),
                cost = "0")
        void get();
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    /** The estimate is cut at the old contract, which is raised before the settlement. */
    @Test
    void aSettlementGoesByTheContractThatIsInForce() {
        contracts.put("acme", Quota.of(10));
        RateLimits acme = begun("acme");
        acme.reserve("tokens", 20);
        contracts.put("acme", Quota.of(1_000));
        nanos += CACHE;
        ChargeResult charge = acme.settle("tokens", 500);
        assertThat(List.of(charge.charged(), charge.dropped(), charge.remaining()))
                .containsExactly(490L, 0L, 500L);
        assertThat(acme.remaining("tokens")).isEqualTo(500);
        assertThat(begun("acme").used("tokens")).isEqualTo(500);
    }

    /** The raised contract has the periods of the caller, too. */
    @Test
    void aSettlementWithinThePeriodOfTheCallerGoesByTheContractThatIsInForce() {
        contracts.put("acme", Quota.of(10));
        RequestState state = runtime.requests().begin(true);
        FakeRequest caller = new FakeRequest().with("header:Customer", "acme").with("attribute:day", "15");
        Limit monthly = withContracts(declared(Monthly.class));
        assertThat(runtime.requests().evaluator().decide(state, List.of(monthly), caller))
                .isNull();
        state.limits().reserve("plan", 20);
        contracts.put("acme", Quota.of(1_000));
        nanos += CACHE;
        ChargeResult charge = state.limits().settle("plan", 500);
        assertThat(List.of(charge.charged(), charge.dropped(), charge.remaining()))
                .containsExactly(490L, 0L, 500L);
    }

    /** The customer has spent 50 units of the gold tier, which it leaves. */
    @Test
    void anotherTierOfABucketFindsTheUnitsInUse() {
        Limit bucket = declared(Bucket.class);
        FakeRequest caller = new FakeRequest().with("header:Customer", "acme").with("attribute:plan", "gold");
        RequestState gold = runtime.requests().begin(true);
        assertThat(runtime.requests().evaluator().decide(gold, List.of(bucket), caller))
                .isNull();
        gold.limits().reserve("bucket", 50);
        RequestState left = runtime.requests().begin(true);
        assertThat(runtime.requests().evaluator().decide(left, List.of(bucket), caller.with("attribute:plan", "none")))
                .isNull();
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> left.limits().reserve("bucket", 1));
    }

    /** A month holds 2^32 - 1 units: the estimate does not fit, and what was used does. */
    @Test
    void whatWasUsedIsCountedThoughItsEstimateDidNotFitIntoTheMonth() {
        RateLimits acme = begun(declared(Soft.class), "acme");
        acme.reserve("soft", Long.MAX_VALUE);
        acme.settle("soft", Integer.MAX_VALUE);
        acme.charge("soft", Integer.MAX_VALUE - 9);
        RateLimits second = begun(declared(Soft.class), "acme");
        second.reserve("soft", Long.MAX_VALUE);
        assertThat(second.settle("soft", 3).charged()).isEqualTo(3);
        assertThat(second.settle("soft", 3).charged()).as("settled before").isZero();
        assertThat(begun(declared(Soft.class), "acme").used("soft")).isEqualTo(4_294_967_288L);
    }

    interface Soft {
        @GET
        @RateLimited(
                name = "soft",
                key = "{header:Customer}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 50,
                window = "1 month",
                cost = "0",
                enforcement = Enforcement.SOFT)
        void get();
    }

    @Test
    void eachCustomerAcquiresAndSettlesOfTheContract() {
        contracts.put("acme", Quota.of(250));
        contracts.put("zoo", Quota.of(100));
        RateLimits acme = begun("acme");
        acme.reserve("tokens", 200);
        assertThat(acme.remaining("tokens")).isEqualTo(50);
        assertThat(acme.settle("tokens", 230).remaining()).isEqualTo(20);
        RateLimits zoo = begun("zoo");
        zoo.reserve("tokens", 90);
        assertThat(zoo.settle("tokens", 30).remaining()).isEqualTo(70);
        assertThat(begun("other").remaining("tokens")).isEqualTo(50);
        assertThat(begun("zoo").used("tokens")).as("before it acquires").isEqualTo(30);
        assertThat(begun("zoo").isExceeded("tokens")).isFalse();
        assertRejects("acme", 21);
        assertRejects("zoo", 71);
        assertThat(spent("acme", 250)).isEqualTo(230);
        assertThat(spent("zoo", 100)).isEqualTo(30);
    }

    @Test
    void anEstimateCountsAtMostAsWhatTheContractHolds() {
        contracts.put("acme", Quota.of(250));
        begun("acme").reserve("tokens", Long.MAX_VALUE);
        assertThat(spent("acme", 250)).isEqualTo(250);
    }

    @Test
    void aRaiseIsInForceAfterTheCacheTimeAndWhatIsUsedStaysUsed() {
        contracts.put("acme", Quota.of(250));
        begun("acme").reserve("tokens", 250);
        contracts.put("acme", Quota.of(400));
        nanos += CACHE - 1;
        assertRejects("acme", 1);
        nanos += 1;
        RateLimits raised = begun("acme");
        raised.reserve("tokens", 100);
        assertThat(raised.remaining("tokens")).isEqualTo(50);
        assertThat(spent("acme", 400)).isEqualTo(350);
    }

    /** Less than the estimate, the estimate, and more: each tells what the raise has left. */
    @ParameterizedTest
    @ValueSource(longs = {120, 200, 230})
    void aSettlementTellsWhatIsLeftOfTheContractThatIsInForce(long used) {
        contracts.put("acme", Quota.of(250));
        RateLimits began = begun("acme");
        began.reserve("tokens", 200);
        contracts.put("acme", Quota.of(400));
        nanos += CACHE;
        assertThat(begun("acme").remaining("tokens")).isEqualTo(200);
        assertThat(began.settle("tokens", used).remaining()).isEqualTo(400 - used);
        assertThat(began.remaining("tokens")).isEqualTo(400 - used);
        assertThat(spent("acme", 400)).isEqualTo(used);
    }

    @Test
    void aSettlementOfNothingTellsWhatIsLeftNow() {
        contracts.put("acme", Quota.of(250));
        RateLimits began = begun("acme");
        contracts.put("acme", Quota.of(400));
        nanos += CACHE;
        begun("acme");
        assertThat(began.settle("tokens", 0).remaining()).isEqualTo(400);
    }

    @Test
    void anUnlimitedCustomerIsNotCounted() {
        contracts.put("acme", Quota.ofUnlimited());
        RateLimits spared = begun("acme");
        spared.reserve("tokens", 1_000);
        spared.settle("tokens", 2_000);
        assertThat(spent("acme", 400)).isZero();
    }

    @Test
    void codeThatAsksByNameHasTheQuotaOfThePartition() {
        contracts.put("acme", Quota.of(250));
        contracts.put("zoo", Quota.ofUnlimited());
        RateLimits limits = begun("other");
        assertThat(limits.deployed().check("tokens", Map.of("header:Customer", "acme")))
                .hasValueSatisfying(check -> assertThat(check.policy().limit()).isEqualTo(250));
        assertThat(limits.deployed().check("tokens", Map.of("header:Customer", "zoo")))
                .isEmpty();
        for (int i = 0; i < 60; i++) {
            limits.acquire("tokens", key("acme"));
            limits.acquire("tokens", key("zoo"));
        }
        assertThat(spent("acme", 250)).isEqualTo(60);
        assertThat(spent("zoo", 250)).isZero();
    }

    @Test
    void anUnlimitedKeyOfTheMethodLeavesTheRequestCounted() {
        contracts.put("acme", Quota.of(250));
        contracts.put("zoo", Quota.ofUnlimited());
        RateLimits limits = begun("acme");
        limits.reserve("tokens", 100);
        limits.acquire("tokens", key("zoo"));
        assertThat(limits.used("tokens")).isEqualTo(100);
        limits.reserve("tokens", 20);
        assertThat(limits.settle("tokens", 170).charged()).isEqualTo(50);
        limits.charge("tokens", 5);
        assertThat(spent("acme", 250)).isEqualTo(175);
        assertThat(spent("zoo", 250)).isZero();
    }

    /** The request begins without a limit: only keys of the method are asked. */
    @Test
    void anUnlimitedKeyAloneIsChargedNothing() {
        contracts.put("acme", Quota.of(250));
        contracts.put("zoo", Quota.ofUnlimited());
        RateLimits limits = runtime.requests().begin(true).limits();
        limits.acquire("tokens", key("zoo"));
        assertThat(limits.charge("tokens", 7).dropped()).isEqualTo(7);
        assertThat(limits.used("tokens")).isZero();
        limits.acquire("tokens", key("acme"));
        limits.acquire("tokens", key("zoo"));
        assertThat(limits.used("tokens")).as("of the key that is counted").isEqualTo(1);
        assertThat(limits.charge("tokens", 7).charged()).isEqualTo(7);
        assertThat(spent("acme", 250)).isEqualTo(8);
    }

    private void assertRejects(String customer, long units) {
        RateLimits limits = begun(customer);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> limits.reserve("tokens", units));
    }

    @Test
    void aForwardedRequestHasTheRestOfItsKey() {
        RequestState forwarded = runtime.requests().begin(true);
        decide(forwarded, "acme");
        forwarded.limits().charge("tokens", 30);
        decide(forwarded, "zoo");
        assertThat(forwarded.limits().remaining("tokens")).isEqualTo(50);
        decide(forwarded, "acme");
        assertThat(forwarded.limits().remaining("tokens")).isEqualTo(20);
    }

    private RateLimits begun(String customer) {
        return begun(limit, customer);
    }

    private RateLimits begun(Limit of, String customer) {
        RequestState begun = runtime.requests().begin(true);
        decide(begun, of, customer);
        return begun.limits();
    }

    private void decide(RequestState state, String customer) {
        decide(state, limit, customer);
    }

    private void decide(RequestState state, Limit of, String customer) {
        FakeRequest caller = new FakeRequest().with("header:Customer", customer);
        assertThat(runtime.requests().evaluator().decide(state, List.of(of), caller))
                .isNull();
    }

    private Limit declared(Class<?> resource) {
        List<String> problems = new ArrayList<>();
        Limit declared = new PlanReader(runtime.policies(), Application.class)
                .read(resource, resource.getDeclaredMethods()[0], problems)
                .limits()
                .get(0);
        assertThat(problems).isEmpty();
        return declared;
    }

    private Limit withContracts(Limit declared) {
        declared.policy().quotaFrom(DirectQuotas.bean(bean, () -> nanos, CACHE));
        return declared;
    }

    private long spent(String customer, long limit) {
        Policy policy = Policy.of("tokens", Algorithm.SLIDING_LOG, limit, Duration.ofHours(1));
        return policy.capacity() - limiter.peek(policy, key(customer)).remaining();
    }

    private static PartitionKey key(String customer) {
        return PartitionKey.of("header:Customer", customer);
    }
}
