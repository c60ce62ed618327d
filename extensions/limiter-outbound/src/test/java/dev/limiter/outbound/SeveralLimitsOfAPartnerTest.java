package dev.limiter.outbound;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.local.LocalRateLimiter;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls that are counted on two limits, in both orders: a limit is switched off, full, a shadow,
 * or holds for longer.
 */
class SeveralLimitsOfAPartnerTest {
    private static final Map<String, List<String>> ORDERS =
            Map.of("one two", List.of("one", "two"), "two one", List.of("two", "one"));

    private final MapSettings settings = new MapSettings().with("limiter.outbound.delay-variation", "0s");
    private long nowMicros = 1_700_000_000_000_000L;
    private final LocalRateLimiter limiter = new LocalRateLimiter(
            () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000),
            span -> nowMicros += span.toNanos() / 1_000);
    private Partner partner;
    private Client client;

    @BeforeEach
    void start() throws Exception {
        partner = new Partner();
        client = ClientBuilder.newClient();
        declare("one", 3);
        declare("two", 5);
    }

    @AfterEach
    void stop() {
        client.close();
        partner.close();
    }

    private void declare(String name, int limit) {
        settings.with("limiter.policy." + name + ".key", "'" + name + "'")
                .with("limiter.policy." + name + ".algorithm", "SLIDING_LOG")
                .with("limiter.policy." + name + ".limit", Integer.toString(limit))
                .with("limiter.policy." + name + ".window", "10s");
    }

    static Stream<String> orders() {
        return ORDERS.keySet().stream().sorted();
    }

    private void register(String order) {
        List<String> names = ORDERS.get(order);
        client.register(RateLimitClientFeature.configured(settings, names.get(0), names.get(1))
                .using(limiter));
    }

    private int admitted(int calls) {
        for (int i = 0; i < calls; i++) {
            catchThrowable(() -> client.target(partner.uri()).request().get().close());
        }
        return partner.calls();
    }

    private long left(String name, int limit) {
        Policy policy = Policy.of(name, SLIDING_LOG, limit, Duration.ofSeconds(10));
        return limiter.peek(policy, PartitionKey.of("literal", name)).remaining();
    }

    @ParameterizedTest
    @MethodSource("orders")
    void theNarrowerHoldsAndTheWiderIsChargedForWhatWasMade(String order) {
        register(order);
        assertThat(admitted(7)).isEqualTo(3);
        assertThat(left("one", 3)).isZero();
        assertThat(left("two", 5)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void oneThatIsSwitchedOffLeavesTheOther(String order) {
        settings.with("limiter.policy.one.enabled", "false");
        register(order);
        assertThat(admitted(7)).isEqualTo(5);
        assertThat(left("one", 3)).isEqualTo(3);
    }

    @ParameterizedTest
    @MethodSource("orders")
    void oneOnTrialRejectsNothing(String order) {
        settings.with("limiter.policy.one.enforcement", "shadow");
        register(order);
        assertThat(admitted(7)).isEqualTo(5);
    }

    /** A soft limit counts what goes beyond it, and holds a call only while its gate is closed. */
    @ParameterizedTest
    @MethodSource("orders")
    void softLimitOfAPartnerIsExceededAndItsGateHolds(String order) {
        settings.with("limiter.policy.one.algorithm", "FIXED_WINDOW").with("limiter.policy.one.enforcement", "soft");
        register(order);
        assertThat(admitted(4)).isEqualTo(4);
        partner.answers(429, Map.of("Retry-After", "60"));
        assertThat(admitted(1)).isEqualTo(5);
        nowMicros += 59_999_999;
        partner.answers(204, Map.of());
        assertThat(admitted(1)).isEqualTo(5);
        nowMicros += 1;
        assertThat(admitted(1)).isEqualTo(6);
    }

    /** The partner closes all gates of the call. The gate of a shadow holds no call. */
    @ParameterizedTest
    @MethodSource("orders")
    void aClosingIsOfEachLimitThatEnforces(String order) {
        settings.with("limiter.policy.two.enforcement", "shadow");
        register(order);
        partner.answers(429, Map.of("Retry-After", "60"));
        assertThat(admitted(3)).isEqualTo(1);
        partner.answers(204, Map.of());
        nowMicros += 59_999_999;
        assertThat(admitted(1)).isEqualTo(1);
        nowMicros += 1;
        assertThat(admitted(1)).isEqualTo(2);
    }

    /** A call is held for the longest of what its limits allow. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLongestWaitHolds(boolean longestFirst) {
        Policy slots = Policy.leakyBucket("slots", 1, Duration.ofSeconds(1), Duration.ofSeconds(30));
        Policy counts = Policy.of("counts", SLIDING_LOG, 1, Duration.ofSeconds(10));
        RateLimitClientFeature feature = longestFirst
                ? RateLimitClientFeature.given(settings, slots, counts)
                : RateLimitClientFeature.given(settings, counts, slots);
        client.register(feature.using(limiter));
        long began = nowMicros;
        assertThat(admitted(2)).isEqualTo(2);
        assertThat(nowMicros - began).isEqualTo(10_000_000);
    }

    /** The quota of a month has its pause, whichever of the limits comes first. */
    @ParameterizedTest
    @MethodSource("orders")
    void noCallStartsWithinADelayVariationOfTheChangeOfAMonth(String order) {
        settings.with("limiter.outbound.delay-variation", "200ms")
                .with("limiter.policy.one.algorithm", "FIXED_WINDOW")
                .with("limiter.policy.one.window", "1 month");
        register(order);
        long april = Instant.parse("2024-04-01T00:00:00Z").getEpochSecond() * 1_000_000;
        nowMicros = april - 200_001;
        assertThat(admitted(1)).isEqualTo(1);
        nowMicros = april - 200_000;
        assertThat(admitted(1)).isEqualTo(1);
        nowMicros = april + 199_999;
        assertThat(admitted(1)).isEqualTo(1);
        nowMicros = april + 200_000;
        assertThat(admitted(7)).isEqualTo(4);
    }

    @Test
    void whereAllLimitsAreSwitchedOffCallsAreNotCounted() {
        settings.with("limiter.enabled", "false");
        register("one two");
        assertThat(admitted(7)).isEqualTo(7);
        assertThat(left("one", 3)).isEqualTo(3);
    }
}
