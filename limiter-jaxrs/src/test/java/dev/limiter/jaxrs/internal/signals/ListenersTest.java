package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.Stage;
import dev.limiter.Tier;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.declaration.PlanReader;
import dev.limiter.jaxrs.internal.form.FakeRequest;
import dev.limiter.jaxrs.internal.policy.Plan;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.core.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Signals from a request to all listeners, in an application without CDI. */
class ListenersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MapSettings settings = new MapSettings().with("limiter.slot-wait.max", "0");
    private final ApplicationRuntime runtime = new ApplicationRuntime(settings, ServerContext.withoutServlets(null));
    private final RateLimiter limiter = runtime.limiter();

    interface Resource {
        @GET
        @RateLimited(
                name = "tiered",
                key = "{user}/{header:X-Device|'none'}",
                algorithm = Algorithm.SLIDING_LOG,
                limit = 1,
                window = "1h",
                tier = "{attribute:plan}",
                tiers = {@Tier(name = "gold", limit = 10), @Tier(name = "staff", unlimited = true)})
        void get();

        @GET
        @RateLimited(
                name = "queue",
                key = "'all'",
                algorithm = Algorithm.LEAKY_BUCKET,
                limit = 1,
                window = "1h",
                maxWait = "2h")
        void queued();
    }

    @BeforeEach
    void listen() {
        Metrics.addRegistry(registry);
    }

    @AfterEach
    void close() {
        runtime.close();
        limiter.close();
        Metrics.removeRegistry(registry);
        Metrics.globalRegistry.clear();
    }

    @Test
    void aDecisionIsCounted() throws Exception {
        decide("get", new FakeRequest().with("user", "alice"));
        decide("get", new FakeRequest().with("user", "alice"));
        assertThat(count("limiter.decisions", "policy", "tiered", "outcome", "admitted"))
                .isEqualTo(1);
        assertThat(count("limiter.decisions", "policy", "tiered", "outcome", "rejected"))
                .isEqualTo(1);
        assertThat(count("limiter.key.missing", "policy", "tiered")).isZero();
        assertThat(count("limiter.tier.unknown", "policy", "tiered")).isZero();
    }

    @Test
    void aRequestWithoutItsKeyIsCountedAsSuch() throws Exception {
        decide("get", new FakeRequest());
        assertThat(count("limiter.key.missing", "policy", "tiered")).isEqualTo(1);
    }

    @Test
    void onlyAnUnknownTierIsCounted() throws Exception {
        for (String plan : List.of("gold", "staff", "golden")) {
            decide("get", new FakeRequest().with("user", plan).with("attribute:plan", plan));
        }
        assertThat(count("limiter.tier.unknown", "policy", "tiered")).isEqualTo(1);
    }

    @Test
    void aRequestWithoutAWaitingPlaceIsCounted() throws Exception {
        decide("queued", new FakeRequest());
        decide("queued", new FakeRequest());
        assertThat(count("limiter.slot.wait.rejected")).isEqualTo(1);
        assertThat(registry.timer("limiter.slot.wait").count()).isZero();
    }

    @Test
    void theTimeOfAHeldRequestIsMeasured() throws Exception {
        ApplicationRuntime patient = new ApplicationRuntime(
                new MapSettings().with("limiter.policy.queue.window", "20ms"), ServerContext.withoutServlets(null));
        try {
            do { // a request within the slot of the one before is held
                decide("queued", new FakeRequest(), patient);
            } while (registry.timer("limiter.slot.wait").count() == 0);
            assertThat(registry.timer("limiter.slot.wait").totalTime(TimeUnit.NANOSECONDS))
                    .isPositive();
        } finally {
            patient.close();
            patient.limiter().close();
        }
    }

    @Test
    void aListenerThatThrowsDoesNotStopOthersAndIsLoggedOnce() {
        List<String> heard = new ArrayList<>();
        RequestSignals broken = new RequestSignals() {
            @Override
            public void breaker(String node, boolean open, String reason) {
                if (node.startsWith("a")) {
                    throw new IllegalStateException("broken");
                }
                throw new NoSuchMethodError("a library that is too old");
            }
        };
        RequestSignals sound = new RequestSignals() {
            @Override
            public void breaker(String node, boolean open, String reason) {
                heard.add(node);
            }
        };
        LogLines store = new LogLines("dev.limiter.store");
        LogLines lines = new LogLines("dev.limiter.signals");
        try (Listeners listeners = Listeners.of(type -> Optional.empty(), broken, sound)) {
            listeners.breaker("a:1", true, "");
            listeners.breaker("b:1", true, "");
            assertThat(heard).containsExactly("a:1", "b:1");
            assertThat(listeners.store().nodes()).containsOnlyKeys("a:1", "b:1");
            assertThat(store.taken()).hasSize(2);
            assertThat(lines.taken())
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("WARNING A listener to the limiter threw"));
        } finally {
            store.close();
            lines.close();
        }
    }

    /** A server's words, in the event that an observer logs, in the log and in health. */
    @Test
    void whatAServerSaysIsOneLineForAll() {
        List<String> heard = new ArrayList<>();
        RequestSignals observer = new RequestSignals() {
            @Override
            public void breaker(String node, boolean open, String reason) {
                heard.add(node + ' ' + reason);
            }
        };
        try (LogLines store = new LogLines("dev.limiter.store");
                Listeners listeners = Listeners.of(type -> Optional.empty(), observer)) {
            listeners.breaker("a:1\n", true, "timed out\r\nforged line");
            assertThat(heard).containsExactly("a:1  timed out forged line");
            assertThat(store.taken())
                    .singleElement()
                    .asString()
                    .endsWith(
                            "a:1  has failed; only a probe asks it until it answers again:" + " timed out forged line");
            assertThat(listeners.store().nodes().get("a:1 ").reason()).isEqualTo("timed out forged line");
        }
    }

    @Test
    void anOperatorAsksForThePolicyInForce() throws Exception {
        decide("get", new FakeRequest().with("user", "alice").with("header:X-Device", "a"));
        Policy inForce = runtime.requests().begin(true).limits().policy("tiered");
        PartitionKey alice = PartitionKey.builder()
                .add("user", "alice")
                .add("literal", "/")
                .add("header:X-Device", "a")
                .build();
        assertThat(inForce.limit()).isEqualTo(1);
        assertThat(limiter.peek(inForce, alice).remaining()).isZero();
        assertThat(limiter.storeKey(inForce, alice)).startsWith("tiered:").doesNotContain("alice");
    }

    private void decide(String method, FakeRequest request) throws Exception {
        decide(method, request, runtime);
    }

    private static void decide(String method, FakeRequest request, ApplicationRuntime to) throws Exception {
        Plan plan = new PlanReader(to.policies(), Application.class)
                .read(Resource.class, Resource.class.getDeclaredMethod(method), new ArrayList<>());
        to.requests().evaluator().decide(to.requests().begin(true), plan.at(Stage.AFTER_AUTHENTICATION), request);
    }

    private double count(String name, String... tags) {
        return registry.counter(name, tags).count();
    }
}
