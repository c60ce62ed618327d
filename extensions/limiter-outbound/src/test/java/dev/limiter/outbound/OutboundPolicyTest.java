package dev.limiter.outbound;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.outbound.internal.OutboundPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for declarations of a partner's limit, and its reloading while calls are made. */
class OutboundPolicyTest {
    private static final Policy CARRIER = Policy.of("carrier", SLIDING_LOG, 50, Duration.ofSeconds(1));
    private final MapSettings settings = new MapSettings();
    private long nanos;

    private MapSettings declared() {
        return settings.with("limiter.policy.carrier.key", "'post'")
                .with("limiter.policy.carrier.algorithm", "SLIDING_LOG")
                .with("limiter.policy.carrier.limit", "50")
                .with("limiter.policy.carrier.window", "1s");
    }

    private OutboundPolicy configured() {
        return OutboundPolicy.configured("carrier", settings, () -> nanos);
    }

    private void assertRefused(String message) {
        assertThatIllegalArgumentException().isThrownBy(this::configured).withMessage(message);
    }

    @Test
    void itsWindowIsLongerByTheDelayVariation() {
        declared();
        assertThat(configured().inForce()).isEqualTo(CARRIER.withDelayVariation(Duration.ofMillis(50)));
        settings.with("limiter.outbound.delay-variation", "200ms");
        assertThat(configured().inForce().window()).isEqualTo(Duration.ofMillis(1_200));
        settings.with("limiter.outbound.delay-variation", "2m");
        assertRefused("limiter.outbound.delay-variation: must be from 0s to 1m, was \"2m\"");
    }

    /** A period cannot be longer, so the delay variation stays beside it. */
    @Test
    void aPeriodOfTheCalendarStaysAsItIs() {
        declared()
                .with("limiter.policy.carrier.algorithm", "FIXED_WINDOW")
                .with("limiter.policy.carrier.window", "1 month Europe/Paris");
        OutboundPolicy policy = configured();
        assertThat(policy.inForce()).isEqualTo(Policy.of("carrier", 50, CalendarPeriod.parse("1 month Europe/Paris")));
        assertThat(policy.delayVariation()).isEqualTo(Duration.ofMillis(50));
        settings.with("limiter.outbound.delay-variation", "200ms");
        assertThat(configured().delayVariation()).isEqualTo(Duration.ofMillis(200));
        settings.with("limiter.policy.carrier.enabled", "false");
        assertThat(configured().delayVariation()).isZero();
    }

    @Test
    void itsKeyIsWhatIsWritten() {
        declared();
        assertThat(configured().key()).isEqualTo(PartitionKey.of("literal", "post"));
        settings.with("limiter.policy.carrier.key", "{user}");
        assertRefused(
                "limiter.policy.carrier.key: \"{user}\" needs a request, which outbound calls lack;" + " write 'all'");
    }

    @Test
    void aPolicyWithoutADeclarationIsAnErrorWithAnAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(this::configured)
                .withMessageStartingWith("limiter.policy.carrier.key: ");
    }

    /** When Redis fails, LOCAL multiplies a partner's limit by the instances, and OPEN has none. */
    @Test
    void withRedisNoFailureMayMultiplyThePartnersLimit() {
        declared().with("limiter.redis.uri", "redis://localhost:6379");
        String why =
                ", so each instance would take a partner's whole limit when Redis fails; set CLOSED, or LOCAL together"
                        + " with limiter.expected-instances";
        assertRefused("limiter.policy.carrier.on-store-failure: is LOCAL" + why);
        settings.with("limiter.expected-instances", "3");
        configured();
        settings.with("limiter.policy.carrier.on-store-failure", "OPEN");
        assertRefused("limiter.policy.carrier.on-store-failure: is OPEN" + why);
        settings.without("limiter.expected-instances").with("limiter.policy.carrier.on-store-failure", "CLOSED");
        configured();
        settings.without("limiter.policy.carrier.on-store-failure").with("limiter.on-store-failure", "closed");
        configured();
        OutboundPolicy.given(CARRIER.whenStoreFails(OnStoreFailure.CLOSED), settings, () -> nanos);
    }

    /** Configuration alone could switch it on, and an error would reach no caller. */
    @ParameterizedTest
    @ValueSource(strings = {"limiter.enabled", "limiter.policy.carrier.enabled"})
    void whatIsSwitchedOffIsCheckedAsWell(String off) {
        declared().with("limiter.redis.uri", "redis://localhost:6379").with(off, "false");
        assertThatIllegalArgumentException()
                .isThrownBy(this::configured)
                .withMessageStartingWith("limiter.policy.carrier.on-store-failure: is LOCAL");
        settings.with("limiter.expected-instances", "3");
        OutboundPolicy policy = configured();
        assertThat(policy.inForce()).isNull();
        settings.with(off, "true");
        nanos += 2_000_000_000L;
        assertThat(policy.inForce().limit()).isEqualTo(50);
    }

    @Test
    void aMistakeInConfigurationDoesNotPreventSwitchingOff() {
        OutboundPolicy policy = OutboundPolicy.given(CARRIER, settings, () -> nanos);
        settings.with("limiter.outbound.delay-variation", "long").with("limiter.enabled", "false");
        nanos += 2_000_000_000L;
        assertThat(policy.inForce()).isNull();
    }

    @Test
    void aNameLeavesRoomForThatOfItsGate() {
        Policy fits = Policy.of("c".repeat(95), SLIDING_LOG, 50, Duration.ofSeconds(1));
        assertThat(OutboundPolicy.given(fits, settings, () -> nanos).inForce()).isNotNull();
        Policy none = Policy.of("c".repeat(96), SLIDING_LOG, 50, Duration.ofSeconds(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboundPolicy.given(none, settings, () -> nanos))
                .withMessageEndingWith(
                        "its gate cannot be named after it: name must have at most 100 characters, has 101");
    }

    @Test
    void leasesCannotLimitCalls() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutboundPolicy.given(Policy.concurrency("carrier", 5), settings, () -> nanos))
                .withMessageContaining("which " + CONCURRENCY + " cannot");
    }

    @Test
    void itIsReadAgainWhileCallsAreMade() {
        declared();
        OutboundPolicy policy = configured();
        settings.with("limiter.policy.carrier.limit", "20");
        assertThat(policy.inForce().limit()).isEqualTo(50);
        nanos += 2_000_000_000L;
        assertThat(policy.inForce().limit()).isEqualTo(20);
        settings.with("limiter.policy.carrier.limit", "none");
        nanos += 2_000_000_000L;
        assertThat(policy.inForce().limit())
                .as("what cannot be read changes nothing")
                .isEqualTo(20);
        settings.with("limiter.policy.carrier.limit", "20").with("limiter.policy.carrier.enabled", "false");
        nanos += 2_000_000_000L;
        assertThat(policy.inForce()).isNull();
    }

    /**
     * A source whose message differs each time is logged at most once a minute. A mistake in the
     * configuration is logged each time that it is made.
     */
    @Test
    void whatCannotBeReadIsLoggedAndFloodsNoLog() {
        AtomicBoolean fails = new AtomicBoolean();
        OutboundPolicy policy = OutboundPolicy.given(
                CARRIER,
                name -> {
                    if (fails.get()) {
                        throw new IllegalStateException("no configuration at " + nanos);
                    }
                    return settings.value(name);
                },
                () -> nanos);
        try (LogLines log = new LogLines("dev.limiter.plan")) {
            fails.set(true);
            for (int snapshot = 0; snapshot < 31; snapshot++) {
                nanos += 2_000_000_000L;
                assertThat(policy.inForce()).isNotNull();
            }
            assertThat(log.taken()).as("in 62 s").hasSize(2).allMatch(line -> line.contains("no configuration at"));
            fails.set(false);
            for (String variation : List.of("long", "long", "1s", "long")) {
                settings.with("limiter.outbound.delay-variation", variation);
                nanos += 2_000_000_000L;
                policy.inForce();
            }
            assertThat(log.taken())
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("WARNING limiter.outbound.delay-variation: "));
        }
    }

    @Test
    void anUnknownSettingFailsTheFeature() {
        settings.with("limiter.redis.url", "x");
        assertThatThrownBy(() -> RateLimitClientFeature.given(settings, CARRIER))
                .isInstanceOf(RateLimitDeploymentException.class)
                .hasMessageStartingWith("limiter.redis.url: no such setting");
        settings.with("limiter.configuration.shared", "true");
        assertThat(RateLimitClientFeature.given(settings, CARRIER)).isNotNull();
    }
}
