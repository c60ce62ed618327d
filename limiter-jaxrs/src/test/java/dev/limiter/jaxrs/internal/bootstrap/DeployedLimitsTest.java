package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.request.RequestState;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An operator's check of a caller equals the filter's check. */
class DeployedLimitsTest {
    private final MapSettings settings = new MapSettings()
            .with("limiter.exempt-addresses", "198.51.100.0/24")
            .with("limiter.policy.owner.key", "'all'")
            .with("limiter.policy.owner.algorithm", "GCRA")
            .with("limiter.policy.owner.limit", "1")
            .with("limiter.policy.owner.window", "1h");
    private long nanos;
    private final ApplicationRuntime runtime = deployment(settings);
    private final RateLimiter limiter = runtime.limiter();
    private final DeployedLimits limits = runtime.limits();

    interface Resource {
        @GET
        @RateLimited(
                name = "orders",
                key = "{user|ip}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 6,
                window = "1h",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 18), @Tier(name = "staff", unlimited = true)})
        @RateLimited(
                name = "login",
                key = "{form:username~fold}/{ip}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 5,
                window = "1h")
        @RateLimited(
                name = "tenant",
                key = "#{user.name}{claim:shop}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 5,
                window = "1h")
        @RateLimited(name = "verbs", key = "{verb}", algorithm = Algorithm.SLIDING_LOG, limit = 5, window = "1h")
        void get();
    }

    private ApplicationRuntime deployment(MapSettings settings) {
        return new ApplicationRuntime(settings, ServerContext.ofServlets("", () -> {}), () -> nanos);
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
    }

    /** A process with jobs alone gets none. */
    @Test
    void changedSettingsAreSeenWithoutARequest() {
        settings.with("limiter.policy.orders.limit", "7");
        nanos += 2_000_000_000L;
        Check alice = check("orders", Map.of("user", "alice", "ip", "", "attribute:plan", ""));
        assertThat(alice.policy().limit()).isEqualTo(7);
        settings.with("limiter.policy.owner.limit", "5");
        nanos += 2_000_000_000L;
        assertThat(limits.policy("owner").limit()).isEqualTo(5);
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({"gold, 18", "'', 6", "platinum, 6"})
    void aCallerHasTheNumbersOfItsTier(String plan, long limit) throws Exception {
        decide("orders", caller().with("user", "alice").with("attribute:plan", plan));
        Check alice = check("orders", Map.of("user", "alice", "ip", "", "attribute:plan", plan));
        assertThat(alice.policy().limit()).isEqualTo(limit);
        assertThat(limiter.peek(alice.policy(), alice.key()).remaining()).isEqualTo(limit - 1);
        limiter.reset(alice.policy(), alice.key());
        assertThat(limiter.peek(alice.policy(), alice.key()).remaining()).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({"2001:db8::7", "2001:DB8:0:0::1", "'[2001:db8::1]:443'", "2001:db8::/64", "2001:db8:0:0:0:0:0:0/64"})
    void anAddressIsCountedHoweverItIsSpelt(String spelt) throws Exception {
        FakeRequest peer = new FakeRequest().with("peer", "2001:db8::42");
        decide(
                "orders",
                caller().with("ip", runtime.requests().addresses().get().of(peer)));
        Check there = check("orders", Map.of("ip", spelt, "attribute:plan", ""));
        assertThat(limiter.peek(there.policy(), there.key()).remaining()).isEqualTo(5);
    }

    @Test
    void aNameIsFoldedAndEachPartIsThere() throws Exception {
        decide("login", caller().with("form:username", "ALICE ").with("ip", "192.0.2.7"));
        for (String placeholder : List.of("form:username", "form:username~fold")) {
            Check alice = check("login", Map.of(placeholder, "Alice", "ip", "192.0.2.7"));
            assertThat(limiter.peek(alice.policy(), alice.key()).remaining()).isEqualTo(4);
        }
    }

    /** The operator states their values. */
    @Test
    void aClaimAndAnExpressionAreNotAsked() {
        Check zoo = check("tenant", Map.of("#{user.name}", "alice", "claim:shop", "zoo"));
        assertThat(zoo.key())
                .isEqualTo(PartitionKey.builder()
                        .add("#{user.name}", "alice")
                        .add("claim:shop", "zoo")
                        .build());
    }

    /**
     * As the filter counts it: all methods that no RFC defines are one partition, and HEAD
     * stands for GET.
     */
    @ParameterizedTest
    @CsvSource({"GET, GET", "HEAD, GET", "POST, POST", "PROPFIND, other", "X0, other"})
    void aMethodIsCountedAsTheFilterDoes(String stated, String counted) {
        assertThat(check("verbs", Map.of("verb", stated, "ip", "192.0.2.7")).key())
                .isEqualTo(PartitionKey.of("verb", counted));
    }

    @Test
    void aCallerThatIsNotCountedHasNoCheck() {
        read(runtime);
        assertThat(limits.check("orders", Map.of("user", "alice", "attribute:plan", "staff")))
                .isEmpty();
        assertThat(limits.check("orders", Map.of("ip", "198.51.100.7", "attribute:plan", "")))
                .isEmpty();
        ApplicationRuntime off = deployment(settings.with("limiter.policy.orders.enabled", "false"));
        read(off);
        assertThat(off.limits().check("orders", Map.of("user", "alice", "attribute:plan", "")))
                .isEmpty();
        off.close();
    }

    /** An exempt IPv6 client is exempt in any spelling, and as it is counted: with its /64. */
    @ParameterizedTest
    @CsvSource({
        "2001:db8:1::7, true",
        "2001:db8:1:2::/64, true",
        "2001:db8:2::7, false",
        "198.51.100.9, true",
        "::1, true",
        "2001:db8:9:9::7, true",
        "2001:db8:9:8::7, false"
    })
    void anExemptAddressIsNotCounted(String address, boolean exempt) {
        settings.with("limiter.exempt-addresses", "2001:db8:1::/48, 198.51.100.0/24, ::1, 2001:db8:9:9::7");
        ApplicationRuntime sparing = deployment(settings);
        try {
            List<Limit> all = read(sparing);
            assertThat(sparing.limits()
                            .check("orders", Map.of("ip", address, "attribute:plan", ""))
                            .isEmpty())
                    .isEqualTo(exempt);
            FakeRequest request = new FakeRequest().with("peer", address.replace("/64", "1"));
            request.with("ip", sparing.requests().addresses().get().of(request));
            RequestState state = sparing.requests().begin(true);
            sparing.requests().evaluator().decide(state, all, request);
            assertThat(state.limits().decisions()).hasSize(exempt ? 0 : 1);
            assertThat(state.limits().skipped("orders") != null).isEqualTo(exempt);
        } finally {
            sparing.close();
            sparing.limiter().close();
        }
    }

    @Test
    void whereNoLimitIsInForceNoCallerIsCounted() {
        ApplicationRuntime off = deployment(settings.with("limiter.enabled", "false"));
        read(off);
        assertThat(off.limits().check("orders", Map.of("user", "alice", "attribute:plan", "gold")))
                .isEmpty();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> off.limits().check("orders", Map.of("user", "alice")))
                .withMessageContaining("of no tier");
        off.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order  | user | alice | no policy \"order\"; did you mean \"orders\"?",
                "owner  | user | alice | policy \"owner\" of the configuration has a key without a"
                        + " placeholder, so it cannot tell callers apart; use policy(\"owner\") with a key of your own",
                "orders | user | alice | policy \"orders\" has tiers; state \"attribute:plan\", empty for a caller of no tier",
                "orders | usr  | alice | unknown name \"usr\" in \"usr\"; did you mean \"user\"?",
                "login  | form:username | alice | policy \"login\" counts {form:username~fold}/{ip} → {ip}, but of this"
                        + " caller only [form:username] is stated; state each part of that key",
                "login  | ip   | alice | \"alice\" is not an address; write one such as \"192.0.2.1\" or \"2001:db8::1\"",
            })
    void aMistakeIsSaid(String policy, String placeholder, String value, String message) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> check(policy, Map.of(placeholder, value)))
                .withMessage(message);
    }

    /** Its key says how it is asked for, and nothing else does. */
    @Test
    void aPolicyOfConfigurationIsAskedByThePlaceholdersOfItsKey() {
        for (String member : List.of("key={user~fold|'all'}", "algorithm=GCRA", "limit=3", "window=1h")) {
            settings.with("limiter.policy.export." + member.split("=")[0], member.split("=")[1]);
        }
        ApplicationRuntime configured = deployment(settings);
        Check alice =
                configured.limits().check("export", Map.of("user", "ALICE")).orElseThrow();
        assertThat(alice.key()).isEqualTo(PartitionKey.of("user~fold", "alice"));
        assertThat(alice.policy().limit()).isEqualTo(3);
        assertThat(configured.limits().policyNames()).containsExactly("export", "owner");
        configured.close();
    }

    /** A job may ask before the first request. */
    @Test
    void beforeAnAnnotationWasReadTheErrorSaysSo() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> limits.check("orders", Map.of("user", "alice", "attribute:plan", "")))
                .withMessageStartingWith("no policy \"orders\"; ")
                .withMessageEndingWith("; the limits of annotations are known once Jakarta REST has started");
    }

    @Test
    void theLimiterIsTheOneThatTheFiltersAsk() {
        assertThat(limits.limiter()).isSameAs(runtime.limiter());
        assertThat(limits.policy("owner").limit()).isEqualTo(1);
        assertThat(runtime.requests().begin(true).limits().deployed()).isEqualTo(limits);
    }

    private static FakeRequest caller() {
        return new FakeRequest().with("peer", "203.0.113.9");
    }

    private Check check(String policy, Map<String, String> caller) {
        read(runtime);
        return limits.check(policy, caller).orElseThrow();
    }

    private void decide(String policy, FakeRequest request) {
        List<Limit> asked = read(runtime).stream()
                .filter(limit -> limit.name().equals(policy))
                .toList();
        assertThat(runtime.requests().evaluator().decide(runtime.requests().begin(true), asked, request))
                .isNull();
    }

    private static List<Limit> read(ApplicationRuntime runtime) {
        List<String> problems = new ArrayList<>();
        Plan plan = new PlanReader(runtime.policies(), Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethods()[0], problems);
        assertThat(problems).isEmpty();
        return plan.at(Stage.AFTER_AUTHENTICATION);
    }
}
